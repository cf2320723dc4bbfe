package dev.ligeiro.processor.intake;

import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.apply.BucketVersionStore;
import dev.ligeiro.processor.apply.EventPublisher;
import dev.ligeiro.processor.apply.Origins;
import dev.ligeiro.processor.apply.UnmatchedPaymentStore;
import dev.ligeiro.processor.decide.Batch;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Reports what a batch has done, when its changes are stored: replaces the versions of the changed time buckets, records unmatched payments, then sends the
 * events. So a merchant that lists transactions after an event does not get a count from before it. The versions are first because an unmatched payment
 * or an event may be refused for ever, and its command becomes a dead letter although its change is stored.
 */
@Component
class FinishBatch {

    private final UnmatchedPaymentStore unmatched;
    private final BucketVersionStore versions;
    private final EventPublisher events;

    FinishBatch(UnmatchedPaymentStore unmatched, BucketVersionStore versions, EventPublisher events) {
        this.unmatched = unmatched;
        this.versions = versions;
        this.events = events;
    }

    /** Completes when every version is replaced, every unmatched payment stored and every event acknowledged. It may be repeated. */
    Mono<Void> finish(Batch batch, Origins origins) {
        List<TransactionEvent> announced = batch.events();
        return versions.replace(announced)
                .then(unmatched.record(batch.unmatched()))
                .then(events.publish(announced, origins));
    }

    /**
     * Fails with the fault of a batch, after replacing the versions of what its bulks have changed so far. Its command becomes a dead
     * letter, so nothing else replaces them.
     *
     * @param batch with the changes that are stored
     */
    Mono<Batch> fail(Batch batch, Throwable fault) {
        return versions.replace(batch.events()).then(Mono.error(fault));
    }
}
