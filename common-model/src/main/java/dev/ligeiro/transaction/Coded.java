package dev.ligeiro.transaction;

/** An enum whose constants have a code: a lower-case text that stands for the constant outside Java. */
public interface Coded {

    /** The text that stands for this constant in the API, in messages, in MongoDB, in metric tags and in log lines. */
    String code();
}
