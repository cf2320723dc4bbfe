package dev.ligeiro.merchant;

import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Codes;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** A permission of an API key. */
public enum Scope implements Coded {
    TRANSACTIONS_READ("transactions:read"),
    /** Creates, cancels and refunds, and acts in the sandbox; includes {@link #CASHINS_WRITE} and {@link #CASHOUTS_WRITE}. */
    TRANSACTIONS_WRITE("transactions:write"),
    /** Creates cashins, nothing else: a refund pays out, and a cancel may be one of a cashout. */
    CASHINS_WRITE("cashins:write"),
    /** Creates cashouts, nothing else. */
    CASHOUTS_WRITE("cashouts:write"),
    /** Approves and rejects the cashouts that wait for it. */
    CASHOUTS_APPROVE("cashouts:approve"),
    /** Reads the balance and the statement. */
    STATEMENT_READ("statement:read"),
    WEBHOOKS_MANAGE("webhooks:manage");

    private final String code;

    Scope(String code) {
        this.code = code;
    }

    @Override
    public String code() {
        return code;
    }

    /** Whether a key with these codes pays out, refunds, or approves what is paid out. */
    public static boolean payOut(Collection<String> codes) {
        Set<Scope> permitted = permitted(codes);
        return permitted.contains(CASHOUTS_WRITE) || permitted.contains(CASHOUTS_APPROVE);
    }

    /** The scopes of these codes, and the scopes that they include. Unknown codes permit nothing. */
    public static Set<Scope> permitted(Collection<String> codes) {
        Set<Scope> permitted = EnumSet.noneOf(Scope.class);
        codes.forEach(code -> Codes.find(Scope.class, code).ifPresent(permitted::add));
        if (permitted.contains(TRANSACTIONS_WRITE)) {
            permitted.add(CASHINS_WRITE);
            permitted.add(CASHOUTS_WRITE);
        }
        return permitted;
    }
}
