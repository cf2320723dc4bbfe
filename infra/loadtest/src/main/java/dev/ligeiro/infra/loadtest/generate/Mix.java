package dev.ligeiro.infra.loadtest.generate;

import static dev.ligeiro.infra.loadtest.ledger.Call.CASHOUT;
import static dev.ligeiro.infra.loadtest.ledger.Call.LIST_FIRST_PAGE;
import static dev.ligeiro.infra.loadtest.ledger.Call.LIST_LAST_PAGE;
import static dev.ligeiro.infra.loadtest.ledger.Call.PAID_CASHIN;
import static dev.ligeiro.infra.loadtest.ledger.Call.PENDING_CASHIN;
import static dev.ligeiro.infra.loadtest.ledger.Call.SHOW;

import dev.ligeiro.infra.loadtest.ledger.Call;
import java.util.Arrays;
import java.util.List;

/** Which calls a load is made of, in turn. */
public enum Mix {
    CREATE(PENDING_CASHIN),
    PAY(PAID_CASHIN),
    CASHOUTS(CASHOUT),
    SHOWS(SHOW),
    LISTS(LIST_FIRST_PAGE, LIST_LAST_PAGE),
    /** A merchant's day: half of it paid cashins, a third shows, some cashouts and codes nobody pays, seldom a list. */
    ALL(
            PAID_CASHIN,
            SHOW,
            PAID_CASHIN,
            CASHOUT,
            PAID_CASHIN,
            SHOW,
            PAID_CASHIN,
            PENDING_CASHIN,
            PAID_CASHIN,
            SHOW,
            PAID_CASHIN,
            SHOW,
            PAID_CASHIN,
            CASHOUT,
            PAID_CASHIN,
            SHOW,
            PAID_CASHIN,
            SHOW,
            PAID_CASHIN,
            LIST_FIRST_PAGE);

    private final Call[] turns;

    Mix(Call... turns) {
        this.turns = turns;
    }

    public Call call(long made) {
        return turns[(int) (made % turns.length)];
    }

    public List<Call> calls() {
        return Arrays.stream(turns).distinct().toList();
    }

    /** Whether webhooks tell of some of its calls. */
    public boolean isAnnounced() {
        return Arrays.stream(turns).anyMatch(Call::isAnnounced);
    }

    /** Whether it reads transactions by id, which have to be there first. */
    public boolean shows() {
        return Arrays.asList(turns).contains(SHOW);
    }

    public boolean lists() {
        return Arrays.asList(turns).contains(LIST_FIRST_PAGE);
    }
}
