package dev.ligeiro.gateway.operator.records;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The position of a dead letter in its dead-letter topic, as text {@code <partition>-<offset>}. Ids sort in the order of a list. */
record DeadLetterId(int partition, long offset) implements Comparable<DeadLetterId> {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})-([0-9]{1,18})");
    private static final Comparator<DeadLetterId> ORDER =
            Comparator.comparingInt(DeadLetterId::partition).thenComparingLong(DeadLetterId::offset);

    /** @throws IllegalArgumentException with the expected form as its message */
    static DeadLetterId parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected an id of the form <partition>-<offset> such as 0-42");
        }
        return new DeadLetterId(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }

    static DeadLetterId of(RecordAt place) {
        return new DeadLetterId(place.partition().partition(), place.offset());
    }

    RecordAt in(DeadLetterTopic topic) {
        return new RecordAt(topic.deadLetters(), partition, offset);
    }

    @Override
    public int compareTo(DeadLetterId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return partition + "-" + offset;
    }
}
