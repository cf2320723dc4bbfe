package dev.ligeiro.transaction;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a transaction does (specification §1): take money in from a payer, or send it out to a Pix key. */
public enum Operation {
    CASHIN("cashin"),
    CASHOUT("cashout");

    private final String word;

    Operation(String word) {
        this.word = word;
    }

    /** The word of the API, of messages and of the store. */
    @JsonValue
    public String word() {
        return word;
    }

    public static Operation ofWord(String word) {
        return word.equals(CASHIN.word) ? CASHIN : Words.find(values(), Operation::word, word);
    }
}
