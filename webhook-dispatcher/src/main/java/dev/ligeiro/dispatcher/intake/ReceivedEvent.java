package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.support.kafka.DeadLetter;
import dev.ligeiro.support.kafka.OriginHeaders;
import dev.ligeiro.transaction.Tenant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A record of an event, with its tenant and type. They tell whether an endpoint subscribes to the event, so that most events, which
 * are {@code transaction.created}, need not be decoded.
 */
record ReceivedEvent(ConsumerRecord<byte[], byte[]> record, Tenant tenant, EventType type) {

    /** The events of webhooks among {@code records}; those for the books are skipped, malformed records are dead letters. */
    static List<ReceivedEvent> of(List<ConsumerRecord<byte[], byte[]>> records, List<DeadLetter> invalid) {
        List<ReceivedEvent> received = new ArrayList<>(records.size());
        for (ConsumerRecord<byte[], byte[]> record : records) {
            byte[] type = header(record, EventHeaders.TYPE);
            if (EventHeaders.isForBooks(type)) {
                continue;
            }
            try {
                received.add(
                        of(record, EventHeaders.tenant(header(record, EventHeaders.TENANT)), EventHeaders.type(type)));
            } catch (InvalidMessage fault) {
                invalid.add(DeadLetter.invalid(record, fault));
            }
        }
        return received;
    }

    /** Decodes the event only if a header is missing. */
    private static ReceivedEvent of(
            ConsumerRecord<byte[], byte[]> record, @Nullable Tenant tenant, @Nullable EventType type) {
        if (tenant != null && type != null) {
            return new ReceivedEvent(record, tenant, type);
        }
        TransactionEvent event = MessageJson.readEvent(record.value());
        return new ReceivedEvent(record, event.transaction().tenant(), event.type());
    }

    /** @throws dev.ligeiro.message.InvalidMessage if the record is not a valid event */
    TransactionEvent event() {
        return MessageJson.readEvent(record.value());
    }

    Origin origin() {
        return OriginHeaders.of(record.headers());
    }

    private static byte @Nullable [] header(ConsumerRecord<?, ?> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : header.value();
    }
}
