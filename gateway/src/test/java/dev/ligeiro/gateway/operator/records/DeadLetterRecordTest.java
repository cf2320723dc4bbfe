package dev.ligeiro.gateway.operator.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.support.kafka.DeadLetterHeaders;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeadLetterRecordTest {

    private static final Instant AT = Instant.parse("2026-11-22T10:15:30.123Z");

    /** A record that another program wrote to the topic. */
    @Test
    void aRecordWithoutTheExpectedHeadersAndKeyHasNoOrigin() {
        DeadLetterRecord bare = deadLetter(null, null, new RecordHeaders().add(DeadLetterHeaders.REASON, null));

        assertThat(bare.id()).hasToString("3-42");
        assertThat(bare.at()).isEqualTo(AT);
        assertThat(bare.reason()).isNull();
        assertThat(bare.detail()).isNull();
        assertThat(bare.exception()).isNull();
        assertThat(bare.originalPartition()).isNull();
        assertThat(bare.originalOffset()).isNull();
        assertThat(bare.transactionId()).isNull();
        assertThat(bare.original()).isEqualTo(new ProducerRecord<byte[], byte[]>("transaction-commands", null, null));
    }

    @Test
    void headersAndKeysOfAnotherFormAreNotShown() {
        DeadLetterRecord odd = deadLetter(
                bytes("Maria Silva"),
                bytes("value"),
                new RecordHeaders()
                        .add(DeadLetterHeaders.REASON, bytes("r".repeat(301)))
                        .add(DeadLetterHeaders.ORIGINAL_OFFSET, bytes("first")));

        assertThat(odd.transactionId()).isNull();
        assertThat(odd.reason()).isNull();
        assertThat(odd.originalOffset()).isNull();
    }

    private static DeadLetterRecord deadLetter(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        return DeadLetterRecord.of(
                DeadLetterTopic.COMMANDS,
                new ConsumerRecord<>(
                        "transaction-commands-dlt",
                        3,
                        42,
                        AT.toEpochMilli(),
                        TimestampType.CREATE_TIME,
                        key == null ? -1 : key.length,
                        value == null ? -1 : value.length,
                        key,
                        value,
                        headers,
                        Optional.empty()));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
