package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.transaction.Coded;

/** What an operator's token may do beside reading, which every token may. */
public enum Role implements Coded {
    /** Only reads. */
    READ,
    /** Changes merchants, test keys and endpoints, stops and freezes, works on records: everything that is not {@link #MONEY}. */
    OPERATE,
    /**
     * Decides where money goes and lets it go: guards, approvals, resolutions, breaks, live keys that pay out, the end of a stop, limits that
     * are raised.
     */
    MONEY
}
