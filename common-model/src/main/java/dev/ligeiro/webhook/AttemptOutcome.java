package dev.ligeiro.webhook;

import dev.ligeiro.transaction.Coded;

/** The outcome of an attempt (Standard Webhooks 1.0: only 2xx is a success). */
public enum AttemptOutcome implements Coded {
    DELIVERED,
    /** 3xx; redirects are not followed. */
    REDIRECTED,
    /**
     * 410: the merchant has given up this URL. Its endpoint is disabled, which cancels the delivery, unless the merchant has changed the
     * endpoint meanwhile: then the delivery is retried.
     */
    GONE,
    /** 429. */
    THROTTLED,
    /** Any other status code. */
    REJECTED,
    TIMED_OUT,
    UNREACHABLE,
    TLS_FAILED,
    DISCONNECTED,
    /** No address of the host is allowed for webhooks. It may be for a while, as with a resolver that returns 0.0.0.0 in an outage. */
    REFUSED_ADDRESS,
    /**
     * No request can be built: the endpoint's URL is malformed, its secret cannot be decrypted, or the transaction of the payload is not
     * stored. It is retried, because the merchant can change the URL and the operator can add the missing key.
     */
    UNSENDABLE
}
