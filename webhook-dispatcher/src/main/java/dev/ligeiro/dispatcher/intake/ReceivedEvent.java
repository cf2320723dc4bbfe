package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.support.kafka.OriginHeaders;
import dev.ligeiro.transaction.Tenant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A record of an event, with its tenant and type. They tell whether an endpoint subscribes to the event, so that most events, which
 * are {@code transaction.created}, need not be decoded.
 */
record ReceivedEvent(ConsumerRecord<byte[], byte[]> record, Tenant tenant, EventType type) {

    /**
     * Takes tenant and type from the record's headers; decodes the event only if they are missing.
     *
     * @throws dev.ligeiro.message.InvalidMessage if the event must be decoded and is malformed
     */
    static ReceivedEvent of(ConsumerRecord<byte[], byte[]> record) {
        Tenant tenant = EventHeaders.tenant(header(record, EventHeaders.TENANT));
        EventType type = EventHeaders.type(header(record, EventHeaders.TYPE));
        if (tenant != null && type != null) {
            return new ReceivedEvent(record, tenant, type);
        }
        TransactionEvent event = MessageJson.readEvent(record.value());
        return new ReceivedEvent(record, event.transaction().tenant(), event.type());
    }

    /** Whether the record is no event of a webhook. */
    static boolean isForBooks(ConsumerRecord<byte[], byte[]> record) {
        return EventHeaders.isForBooks(header(record, EventHeaders.TYPE));
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
