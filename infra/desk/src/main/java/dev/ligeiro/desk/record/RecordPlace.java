package dev.ligeiro.desk.record;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The place of a record in its topic, as text {@code <partition>-<offset>}: the id of a dead letter. Places sort in the order of a list. */
public record RecordPlace(int partition, long offset) implements Comparable<RecordPlace> {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})-([0-9]{1,18})");
    private static final Comparator<RecordPlace> ORDER =
            Comparator.comparingInt(RecordPlace::partition).thenComparingLong(RecordPlace::offset);

    static RecordPlace of(ConsumerRecord<byte[], byte[]> record) {
        return new RecordPlace(record.partition(), record.offset());
    }

    /** @throws IllegalArgumentException with the expected form as its message */
    @JsonCreator
    public static RecordPlace valueOf(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected an id of the form <partition>-<offset> such as 0-42");
        }
        return new RecordPlace(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)));
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
