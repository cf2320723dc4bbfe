package dev.ligeiro.desk.record;

import dev.ligeiro.message.Topics;
import dev.ligeiro.transaction.Coded;

/** A topic whose records may become dead letters. The code is the topic's name in Kafka. */
public enum DeadLetterTopic implements Coded {
    COMMANDS(Topics.COMMANDS),
    EVENTS(Topics.EVENTS);

    private final String name;

    DeadLetterTopic(String name) {
        this.name = name;
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
