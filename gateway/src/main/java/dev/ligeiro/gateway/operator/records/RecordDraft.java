package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.transaction.TransactionId;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Collects the latest state of each transaction in a page of records, as the event that announces it. */
final class RecordDraft implements RecordSink {

    private final int max;
    private final int bytesMax;
    private final Map<TransactionId, TransactionEvent> latest = new HashMap<>();
    private int records;
    private long bytes;
    private int unreadable;
    private @Nullable RecordAt last;

    RecordDraft(int max, int bytesMax) {
        this.max = max;
        this.bytesMax = bytesMax;
    }

    @Override
    public boolean isFull() {
        return records >= max || bytes >= bytesMax;
    }

    @Override
    public void add(ConsumerRecord<byte[], byte[]> record) {
        records++;
        bytes += Math.max(0, record.serializedValueSize());
        last = RecordAt.of(record);
        try {
            TransactionEvent state = state(record);
            if (state != null) {
                latest.merge(state.id().transactionId(), state, RecordDraft::later);
            }
        } catch (InvalidMessage otherVersion) {
            unreadable++;
        }
    }

    @Override
    public @Nullable RecordAt last() {
        return last;
    }

    RecordPage page(@Nullable RecordPosition next) {
        return new RecordPage(latest, records, unreadable, next);
    }

    /** Null for a record that does not say a transaction's state. */
    private static @Nullable TransactionEvent state(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value() == null ? new byte[0] : record.value();
        if (record.topic().equals(Topics.EVENTS)) {
            return MessageJson.readEvent(value);
        }
        return MessageJson.readCommand(value) instanceof TransactionCommand.Process process
                ? TransactionEvent.of(
                        process.transaction(), process.transaction().history().sequence())
                : null;
    }

    private static TransactionEvent later(TransactionEvent one, TransactionEvent other) {
        return one.sequence() >= other.sequence() ? one : other;
    }
}
