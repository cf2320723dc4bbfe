package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.message.EventHeaders;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.transaction.Tenant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** A record, and enough of its event to know whether somebody wants it. Most are {@code transaction.created}, which few do. */
record ReceivedEvent(ConsumerRecord<byte[], byte[]> record, Tenant tenant, EventType type) {

    /**
     * Goes by the record's headers, and reads the event only where it lacks them.
     *
     * @throws dev.ligeiro.message.InvalidMessage where it then turns out to be none
     */
    static ReceivedEvent of(ConsumerRecord<byte[], byte[]> record) {
        Tenant tenant = EventHeaders.tenant(header(record, EventHeaders.TENANT));
        EventType type = EventHeaders.type(header(record, EventHeaders.TYPE));
        if (tenant != null && type != null) {
            return new ReceivedEvent(record, tenant, type);
        }
        TransactionEvent event = MessageJson.readEvent(record.value());
        return new ReceivedEvent(record, event.transaction().tenant(), event.eventType());
    }

    /** @throws dev.ligeiro.message.InvalidMessage where the record holds none */
    TransactionEvent event() {
        return MessageJson.readEvent(record.value());
    }

    private static byte @Nullable [] header(ConsumerRecord<?, ?> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : header.value();
    }
}
