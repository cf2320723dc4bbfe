package dev.ligeiro.processor.due;

import dev.ligeiro.message.Topics;
import dev.ligeiro.support.kafka.PassedRecords;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Tells whether the processors' group has passed the commands of the due work. */
@Component
class PassedLooks {

    private final PassedRecords passedRecords;
    private final String group;
    private volatile boolean topicExists;

    PassedLooks(PassedRecords passedRecords, @Value("${spring.kafka.consumer.group-id}") String group) {
        this.passedRecords = passedRecords;
        this.group = group;
    }

    /**
     * Whether every command sent so far is passed. Fails while the topic does not exist: a command sent then could make the broker
     * create it with the wrong number of partitions.
     */
    Mono<Boolean> hasPassed(DueProgress progress) {
        return progress.ahead() == 0 && topicExists
                ? Mono.just(true)
                : passedRecords
                        // the records appended at that time included
                        .hasPassed(group, Topics.COMMANDS, progress.appendedAt().plusMillis(1))
                        .doOnNext(answered -> topicExists = true);
    }
}
