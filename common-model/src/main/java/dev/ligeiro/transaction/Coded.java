package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonValue;

/** An enum whose constants have a code: the lower-case text that is used outside Java. */
public interface Coded {

    /**
     * The text of this constant in the API, in messages, in MongoDB, in metric tags and in log lines: its name in lower case, so a constant
     * whose code is stored or sent keeps its name.
     */
    @JsonValue
    default String code() {
        return Codes.lowerCase((Enum<?>) this);
    }
}
