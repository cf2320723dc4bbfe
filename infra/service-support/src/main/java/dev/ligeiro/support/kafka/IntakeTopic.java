package dev.ligeiro.support.kafka;

import dev.ligeiro.transaction.Coded;
import java.util.List;
import java.util.stream.Stream;

/**
 * The topic that a service reads.
 *
 * @param refusals the reasons of the service itself to refuse a record
 */
public record IntakeTopic(String name, List<? extends Coded> refusals) {

    public IntakeTopic {
        refusals = List.copyOf(refusals);
    }

    /** All reasons why a record of it can become a dead letter. */
    Stream<Coded> deadLetterReasons() {
        return Stream.concat(Stream.of(DeadLetter.CommonReason.values()), refusals.stream());
    }
}
