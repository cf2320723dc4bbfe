package dev.ligeiro.infra.loadtest.generate;

import static dev.ligeiro.infra.loadtest.journal.Call.LIST_FIRST_PAGE;
import static dev.ligeiro.infra.loadtest.journal.Call.LIST_LAST_PAGE;
import static dev.ligeiro.infra.loadtest.journal.Call.PAID_CASHIN;
import static dev.ligeiro.infra.loadtest.journal.Call.PENDING_CASHIN;

import dev.ligeiro.infra.loadtest.journal.Call;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Codes;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The scenarios of the command line, each with its calls, which repeat in this order. */
public enum Scenario implements Coded {
    CREATE(PENDING_CASHIN),
    PAY(PAID_CASHIN),
    CASHOUT(Call.CASHOUT),
    SHOW(Call.SHOW),
    LIST(LIST_FIRST_PAGE, LIST_LAST_PAGE),
    /** In 20 calls: 10 paid cashins, 6 shows, 2 cashouts, 1 pending cashin, 1 list page. */
    MIXED("PSPCPSPNPSPSPCPSPSPL"),
    /** The time from the gateway's start to its first 201: no load. */
    STARTUP;

    private static final Codes<Scenario> CODES = new Codes<>(Scenario.class);

    private final List<Call> calls;

    Scenario(Call... calls) {
        this.calls = List.of(calls);
    }

    /** @param letters P for a paid cashin, N for a pending one, C for a cashout, S for a show, L for a list page */
    Scenario(String letters) {
        Map<Integer, Call> byLetter = Map.of(
                (int) 'P',
                PAID_CASHIN,
                (int) 'N',
                PENDING_CASHIN,
                (int) 'C',
                Call.CASHOUT,
                (int) 'S',
                Call.SHOW,
                (int) 'L',
                LIST_FIRST_PAGE);
        this.calls = letters.chars().mapToObj(byLetter::get).toList();
    }

    /** @throws IllegalArgumentException when there is no such scenario */
    public static Scenario fromCode(String code) {
        return CODES.get(code);
    }

    @Override
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The kind of the call that follows {@code made} calls. */
    Call call(long made) {
        return calls.get((int) (made % calls.size()));
    }

    public List<Call> calls() {
        return calls.stream().distinct().toList();
    }

    /** Whether webhooks announce some of its transactions. */
    public boolean isAnnounced() {
        return calls.stream().anyMatch(Call::isAnnounced);
    }

    /** Whether it reads transactions, which must be created first. */
    public boolean reads() {
        return calls.contains(Call.SHOW) || lists();
    }

    public boolean lists() {
        return calls.contains(LIST_FIRST_PAGE);
    }
}
