package dev.ligeiro.gateway.operator.records;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Sends dead letters to the topic that they came from. */
@Component
class DeadLetterSender {

    /** Less than {@code delivery.timeout.ms}: Kafka may still take a record that is reported as unconfirmed. */
    static final Duration CONFIRMATION_MAX = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterSender.class);

    private final KafkaTemplate<byte[], byte[]> kafka;
    private final MeterRegistry meters;

    DeadLetterSender(KafkaTemplate<byte[], byte[]> kafka, MeterRegistry meters) {
        this.kafka = kafka;
        this.meters = meters;
        // so that both series exist, with 0, before the first dead letter is redriven
        List.of(DeadLetterTopic.values()).forEach(this::redriven);
    }

    /** Sends them in their order. Gives those that Kafka has acknowledged ({@code acks=all}): fewer or none while it is unavailable. */
    Mono<List<DeadLetterRecord>> send(DeadLetterTopic topic, List<DeadLetterRecord> deadLetters) {
        // a producer blocks while it looks for a broker
        return Mono.fromSupplier(() -> sendAndWait(topic, deadLetters))
                .subscribeOn(Schedulers.boundedElastic())
                .doOnNext(confirmed -> redriven(topic).increment(confirmed.size()));
    }

    private List<DeadLetterRecord> sendAndWait(DeadLetterTopic topic, List<DeadLetterRecord> deadLetters) {
        List<CompletableFuture<?>> sent = new ArrayList<>(deadLetters.size());
        try {
            deadLetters.forEach(deadLetter -> sent.add(kafka.send(deadLetter.original(topic))));
        } catch (KafkaException | org.apache.kafka.common.KafkaException away) {
            logFailure(away);
        }
        CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new))
                .orTimeout(CONFIRMATION_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(DeadLetterSender::logFailure)
                .join();
        List<DeadLetterRecord> confirmed = new ArrayList<>(sent.size());
        for (int i = 0; i < sent.size(); i++) {
            if (sent.get(i).isDone() && !sent.get(i).isCompletedExceptionally()) {
                confirmed.add(deadLetters.get(i));
            }
        }
        return confirmed;
    }

    private Counter redriven(DeadLetterTopic topic) {
        return Counter.builder("ligeiro.dead.letters.redriven")
                .description("Dead letters that Kafka has acknowledged in their original topic")
                .tag("topic", topic.code())
                .register(meters);
    }

    /** At DEBUG: the response and the log line of the request tell the operator that records were not confirmed. */
    private static @Nullable Void logFailure(Throwable failure) {
        LOG.atDebug()
                .setCause(failure)
                .addKeyValue("event.action", "dead_letters_not_confirmed")
                .log("Kafka did not confirm all redriven dead letters");
        return null;
    }
}
