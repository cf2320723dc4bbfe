package dev.ligeiro.webhook;

import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Codes;

/** The outcome of an attempt (Standard Webhooks 1.0: only 2xx is a success). */
public enum AttemptOutcome implements Coded {
    DELIVERED("delivered", false),
    /** 3xx; redirects are not followed. */
    REDIRECTED("redirected", false),
    /** 410: the merchant has given up this URL; its endpoint is disabled. */
    GONE("gone", true),
    /** 429. */
    THROTTLED("throttled", false),
    /** Any other status code. */
    REJECTED("rejected", false),
    TIMED_OUT("timed_out", false),
    UNREACHABLE("unreachable", false),
    TLS_FAILED("tls_failed", false),
    DISCONNECTED("disconnected", false),
    /** No address of the host is allowed for webhooks. It may be for a while, as with a resolver that returns 0.0.0.0 in an outage. */
    REFUSED_ADDRESS("refused_address", false),
    /**
     * No request can be built: the endpoint's URL is malformed, its secret cannot be decrypted, or the transaction of the payload is not
     * stored. It is retried, because the merchant can change the URL and the operator can add the missing key.
     */
    UNSENDABLE("unsendable", false);

    private static final Codes<AttemptOutcome> CODES = new Codes<>(AttemptOutcome.class);

    private final String code;
    private final boolean permanent;

    AttemptOutcome(String code, boolean permanent) {
        this.code = code;
        this.permanent = permanent;
    }

    @Override
    public String code() {
        return code;
    }

    /** Whether another attempt would have the same outcome, so that the delivery is canceled. */
    public boolean permanent() {
        return permanent;
    }

    public static AttemptOutcome fromCode(String code) {
        return CODES.get(code);
    }
}
