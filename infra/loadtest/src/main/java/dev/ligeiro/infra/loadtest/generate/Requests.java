package dev.ligeiro.infra.loadtest.generate;

import dev.ligeiro.infra.loadtest.ledger.Call;
import dev.ligeiro.infra.loadtest.ledger.Ledger;
import dev.ligeiro.infra.loadtest.ledger.Naming;

/** The bytes of every kind of call. For one thread: they are written in place. */
final class Requests {

    private static final String LIST = "/api/v1/transactions";

    private final CreateRequest pendingCashin;
    private final CreateRequest paidCashin;
    private final CreateRequest cashout;
    private final Template show;
    private final int shownId;
    private final Template firstPage;
    private final Template lastPage;
    private final Ledger ledger;
    private final Targets targets;

    Requests(Merchant merchant, Naming naming, Ledger ledger, Targets targets) {
        this.pendingCashin = new CreateRequest(Call.PENDING_CASHIN, merchant, naming);
        this.paidCashin = new CreateRequest(Call.PAID_CASHIN, merchant, naming);
        this.cashout = new CreateRequest(Call.CASHOUT, merchant, naming);
        this.show = Template.get("/api/v1/transaction/|" + "I".repeat(36) + "|", merchant.headers());
        this.shownId = show.place('I');
        this.firstPage = Template.get(LIST, merchant.headers());
        this.lastPage = Template.get(LIST + "?page=" + targets.lastPage(), merchant.headers());
        this.ledger = ledger;
        this.targets = targets;
    }

    /** Good until the next call. */
    byte[] bytes(Call call, int number) {
        return switch (call) {
            case PENDING_CASHIN -> pendingCashin.bytes(number);
            case PAID_CASHIN -> paidCashin.bytes(number);
            case CASHOUT -> cashout.bytes(number);
            case SHOW -> show(shownNumber(number));
            case LIST_FIRST_PAGE -> firstPage.bytes();
            case LIST_LAST_PAGE -> lastPage.bytes();
        };
    }

    /** The call whose transaction the show of this number reads: any of them, in no order. */
    int shownNumber(int number) {
        return targets.firstNumber() + (int) Long.remainderUnsigned(Naming.mix(number), targets.count());
    }

    private byte[] show(int shown) {
        show.writeUuid(shownId, ledger.high(shown), ledger.low(shown));
        return show.bytes();
    }
}
