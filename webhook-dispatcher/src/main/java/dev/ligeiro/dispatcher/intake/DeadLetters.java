package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Puts poison records aside: as they are, with headers that say where each came from and why it is here. It is the one owner of its
 * topic, which it creates when it is first needed.
 */
@Component
class DeadLetters {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
    private static final String TOPIC = Topics.deadLetter(Topics.EVENTS);
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(15);

    private final KafkaTemplate<byte[], byte[]> kafka;
    private final KafkaAdmin admin;
    private volatile boolean topicMade;

    DeadLetters(KafkaTemplate<byte[], byte[]> kafka, KafkaAdmin admin) {
        this.kafka = kafka;
        this.admin = admin;
    }

    /** Ends when Kafka has the record; an error means that it is to be tried again, since otherwise it would be lost. */
    Mono<Void> send(ConsumerRecord<byte[], byte[]> poison, RuntimeException reason) {
        return Mono.fromRunnable(this::makeTopic)
                .then(Mono.defer(() -> Mono.fromFuture(kafka.send(letter(poison, reason)))))
                .subscribeOn(Schedulers.boundedElastic())
                .timeout(SEND_TIMEOUT)
                .doOnSuccess(sent -> LOG.error(
                        "event=poison_record topic={} partition={} offset={} reason={}",
                        poison.topic(),
                        poison.partition(),
                        poison.offset(),
                        describe(reason)))
                .then();
    }

    private void makeTopic() {
        if (!topicMade) {
            NewTopic topic = TopicBuilder.name(TOPIC).partitions(1).build();
            admin.createOrModifyTopics(topic);
            topicMade = true;
        }
    }

    private static ProducerRecord<byte[], byte[]> letter(
            ConsumerRecord<byte[], byte[]> poison, RuntimeException reason) {
        ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(TOPIC, poison.key(), poison.value());
        Headers headers = letter.headers();
        poison.headers().forEach(headers::add);
        add(headers, KafkaHeaders.DLT_ORIGINAL_TOPIC, poison.topic());
        add(headers, KafkaHeaders.DLT_ORIGINAL_PARTITION, Integer.toString(poison.partition()));
        add(headers, KafkaHeaders.DLT_ORIGINAL_OFFSET, Long.toString(poison.offset()));
        add(headers, KafkaHeaders.DLT_ORIGINAL_TIMESTAMP, Long.toString(poison.timestamp()));
        add(headers, KafkaHeaders.DLT_EXCEPTION_FQCN, reason.getClass().getName());
        add(headers, KafkaHeaders.DLT_EXCEPTION_MESSAGE, describe(reason));
        return letter;
    }

    private static void add(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Messages of our own name a place; others may quote the record, which holds personal data. */
    private static String describe(RuntimeException reason) {
        return reason instanceof InvalidMessage
                ? String.valueOf(reason.getMessage())
                : reason.getClass().getSimpleName();
    }
}
