package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.message.Topics;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;

/**
 * A record of the topics of commands and events, as text {@code <topic>-<partition>-<offset>}.
 *
 * @param topic an index of {@link #TOPICS}
 */
record RecordPosition(int topic, int partition, long offset) {

    /** New transactions are in the commands until a processor accepts them; every later state is in the events. */
    static final List<String> TOPICS = List.of(Topics.COMMANDS, Topics.EVENTS);

    private static final Pattern FORM = Pattern.compile("([01])-([0-9]{1,9})-([0-9]{1,18})");

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

    static RecordPosition of(RecordAt place) {
        TopicPartition partition = place.partition();
        return new RecordPosition(TOPICS.indexOf(partition.topic()), partition.partition(), place.offset());
    }

    RecordAt place() {
        return new RecordAt(TOPICS.get(topic), partition, offset);
    }

    @Override
    public String toString() {
        return topic + "-" + partition + "-" + offset;
    }
}
