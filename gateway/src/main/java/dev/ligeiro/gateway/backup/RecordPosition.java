package dev.ligeiro.gateway.backup;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A record of the topics of commands and events, as text {@code <topic>-<partition>-<offset>}. Positions sort in the order of a list:
 * commands come before events.
 *
 * @param topic an index of {@link RecordScan#TOPICS}
 */
record RecordPosition(int topic, int partition, long offset) implements Comparable<RecordPosition> {

    private static final Pattern FORM = Pattern.compile("([01])-([0-9]{1,9})-([0-9]{1,18})");
    private static final Comparator<RecordPosition> ORDER = Comparator.comparingInt(RecordPosition::topic)
            .thenComparingInt(RecordPosition::partition)
            .thenComparingLong(RecordPosition::offset);

    /** @throws IllegalArgumentException with the expected form as its message */
    static RecordPosition parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected the next_cursor of a page");
        }
        return new RecordPosition(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Long.parseLong(matcher.group(3)));
    }

    @Override
    public int compareTo(RecordPosition other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return topic + "-" + partition + "-" + offset;
    }
}
