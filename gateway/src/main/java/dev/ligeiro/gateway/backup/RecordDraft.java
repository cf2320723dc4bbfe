package dev.ligeiro.gateway.backup;

import dev.ligeiro.gateway.kafka.RecordAt;
import dev.ligeiro.gateway.kafka.RecordSink;
import dev.ligeiro.message.InvalidMessage;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Collects the latest state of each transaction in a page of records. */
final class RecordDraft implements RecordSink {

    private final int max;
    private final Map<TransactionId, Transaction> latest = new HashMap<>();
    private int records;
    private int unreadable;
    private @Nullable RecordAt last;

    RecordDraft(int max) {
        this.max = max;
    }

    @Override
    public boolean isFull() {
        return records >= max;
    }

    @Override
    public void add(ConsumerRecord<byte[], byte[]> record) {
        records++;
        last = RecordAt.of(record);
        try {
            Transaction state = state(record);
            if (state != null) {
                latest.merge(state.id(), state, RecordDraft::later);
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

    /** Null for a record without a whole transaction. */
    private static @Nullable Transaction state(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value() == null ? new byte[0] : record.value();
        if (record.topic().equals(Topics.EVENTS)) {
            return MessageJson.readEvent(value).transaction();
        }
        return MessageJson.readCommand(value) instanceof TransactionCommand.Process process
                ? process.transaction()
                : null;
    }

    private static Transaction later(Transaction one, Transaction other) {
        return one.history().sequence() >= other.history().sequence() ? one : other;
    }
}
