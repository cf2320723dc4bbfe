package dev.ligeiro.desk.operator;

import dev.ligeiro.transaction.Coded;
import org.springframework.security.core.GrantedAuthority;

/** What an operator may do. Every operator may read; a token with {@link #MONEY} alone may not do what needs {@link #OPERATE}. */
public enum Role implements Coded, GrantedAuthority {
    /** Only reads. */
    READ,
    /** Changes merchants, test keys and endpoints, stops and freezes, works on records: everything that is not {@link #MONEY}. */
    OPERATE,
    /**
     * Decides where money goes and lets it go: guards, approvals, resolutions, breaks, live keys that pay out, the end of a stop, limits that
     * are raised.
     */
    MONEY;

    @Override
    public String getAuthority() {
        return "ROLE_" + name();
    }
}
