package dev.ligeiro.gateway.operator.records;

import dev.ligeiro.message.Topics;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Codes;

/** A topic whose records may become dead letters. The code is the topic's name in Kafka. */
enum DeadLetterTopic implements Coded {
    COMMANDS(Topics.COMMANDS),
    EVENTS(Topics.EVENTS);

    private static final Codes<DeadLetterTopic> CODES = new Codes<>(DeadLetterTopic.class);

    private final String name;

    DeadLetterTopic(String name) {
        this.name = name;
    }

    /** @throws IllegalArgumentException with the expected names as its message */
    static DeadLetterTopic parse(String text) {
        return CODES.find(text)
                .orElseThrow(() ->
                        new IllegalArgumentException("expected one of [" + COMMANDS.name + ", " + EVENTS.name + "]"));
    }

    @Override
    public String code() {
        return name;
    }

    /** The topic that holds the dead letters. */
    String deadLetters() {
        return Topics.deadLetter(name);
    }
}
