package dev.ligeiro.transaction;

/** An enum whose constants have a code: the lower-case text that is used outside Java. */
public interface Coded {

    /** The text of this constant in the API, in messages, in MongoDB, in metric tags and in log lines. */
    String code();
}
