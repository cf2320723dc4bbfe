package dev.ligeiro.dispatcher.delivery;

import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Codes;

/** How an attempt ended (Standard Webhooks 1.0: 2xx is success, a redirect is none). */
public enum AttemptOutcome implements Coded {
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

    /** Whether another attempt would end the same way. */
    public boolean permanent() {
        return permanent;
    }

    static AttemptOutcome fromCode(String code) {
        return CODES.get(code);
    }
}
