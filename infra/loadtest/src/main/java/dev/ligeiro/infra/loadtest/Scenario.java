package dev.ligeiro.infra.loadtest;

import static dev.ligeiro.infra.loadtest.Call.LIST_FILTERED;
import static dev.ligeiro.infra.loadtest.Call.LIST_FIRST_PAGE;
import static dev.ligeiro.infra.loadtest.Call.LIST_LAST_PAGE;
import static dev.ligeiro.infra.loadtest.Call.PAID_CASHIN;
import static dev.ligeiro.infra.loadtest.Call.PENDING_CASHIN;

import dev.ligeiro.transaction.Coded;
import java.util.List;

/** The scenarios of the command line, each with its calls, which repeat in this order. */
enum Scenario implements Coded {
    CREATE(PENDING_CASHIN),
    PAY(PAID_CASHIN),
    CASHOUT(Call.CASHOUT),
    SHOW(Call.SHOW),
    LIST(LIST_FIRST_PAGE, LIST_LAST_PAGE, LIST_FILTERED),
    /** In 20 calls: 10 paid cashins, 6 shows, 2 cashouts, 1 pending cashin, 1 list page. */
    MIXED("PSPCPSPNPSPSPCPSPSPL");

    private final List<Call> calls;

    Scenario(Call... calls) {
        this.calls = List.of(calls);
    }

    Scenario(String letters) {
        this.calls = letters.chars().mapToObj(Scenario::ofLetter).toList();
    }

    private static Call ofLetter(int letter) {
        return switch (letter) {
            case 'P' -> PAID_CASHIN;
            case 'N' -> PENDING_CASHIN;
            case 'C' -> Call.CASHOUT;
            case 'S' -> Call.SHOW;
            case 'L' -> LIST_FIRST_PAGE;
            default -> throw new IllegalArgumentException("letter: " + (char) letter + " (expected: P, N, C, S or L)");
        };
    }

    /** The kind of the call that follows {@code made} calls. */
    Call call(long made) {
        return calls.get((int) (made % calls.size()));
    }

    /** Whether webhooks announce some of its transactions. */
    boolean isAnnounced() {
        return calls.stream().anyMatch(Call::isAnnounced);
    }

    /** Whether it reads transactions, which must be created first. */
    boolean reads() {
        return calls.contains(Call.SHOW) || lists();
    }

    boolean lists() {
        return calls.contains(LIST_FIRST_PAGE);
    }
}
