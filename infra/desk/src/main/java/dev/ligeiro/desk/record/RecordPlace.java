package dev.ligeiro.desk.record;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The place of a record in its topic, as text {@code <partition>-<offset>}: the id of a dead letter. Places sort in the order of a list. */
public record RecordPlace(int partition, long offset) implements Comparable<RecordPlace> {

    static final String FORM = "[0-9]{1,9}-[0-9]{1,18}";
    static final String EXPECTED = "expected an id of the form <partition>-<offset> such as 0-42";

    private static final Comparator<RecordPlace> ORDER =
            Comparator.comparingInt(RecordPlace::partition).thenComparingLong(RecordPlace::offset);

    static RecordPlace of(ConsumerRecord<byte[], byte[]> record) {
        return new RecordPlace(record.partition(), record.offset());
    }

    /** @throws IllegalArgumentException with the expected form as its message */
    @JsonCreator
    public static RecordPlace valueOf(String text) {
        if (!text.matches(FORM)) {
            throw new IllegalArgumentException(EXPECTED);
        }
        String[] parts = text.split("-");
        return new RecordPlace(Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
    }

    @Override
    public int compareTo(RecordPlace other) {
        return ORDER.compare(this, other);
    }

    @JsonValue
    @Override
    public String toString() {
        return partition + "-" + offset;
    }
}
