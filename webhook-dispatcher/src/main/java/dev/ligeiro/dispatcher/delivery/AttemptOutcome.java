package dev.ligeiro.dispatcher.delivery;

/** How an attempt ended (Standard Webhooks 1.0: 2xx is success, a redirect is none). */
public enum AttemptOutcome {
    DELIVERED("delivered", false),
    /** 3xx: never followed. */
    REDIRECTED("redirected", false),
    /** 410: the merchant wants nothing at this URL any more. */
    GONE("gone", true),
    /** 429. */
    THROTTLED("throttled", false),
    /** Any other status. */
    REJECTED("rejected", false),
    TIMED_OUT("timed_out", false),
    UNREACHABLE("unreachable", false),
    TLS_FAILED("tls_failed", false),
    DISCONNECTED("disconnected", false),
    /** The host has no address that a webhook may go to. */
    REFUSED_ADDRESS("refused_address", true),
    /** No request can be made of what is stored of the endpoint: a URL or secret that is none. */
    UNSENDABLE("unsendable", true);

    private static final AttemptOutcome[] OUTCOMES = values();

    private final String word;
    private final boolean permanent;

    AttemptOutcome(String word, boolean permanent) {
        this.word = word;
        this.permanent = permanent;
    }

    /** The word of the API, the store and the metrics. */
    public String word() {
        return word;
    }

    /** Whether another attempt would end the same way. */
    public boolean permanent() {
        return permanent;
    }

    static AttemptOutcome ofWord(String word) {
        for (AttemptOutcome outcome : OUTCOMES) {
            if (outcome.word.equals(word)) {
                return outcome;
            }
        }
        throw new IllegalArgumentException(word + " (expected: an attempt outcome)");
    }
}
