package dev.ligeiro.infra.loadtest.generate;

import dev.ligeiro.infra.loadtest.http.Bytes;
import dev.ligeiro.infra.loadtest.http.MessageParser;
import dev.ligeiro.infra.loadtest.ledger.Call;
import dev.ligeiro.infra.loadtest.ledger.Ledger;
import java.nio.charset.StandardCharsets;

/** Whether an answer is the one that its call is owed. */
final class AnswerCheck {

    private static final byte[] LOCATION = Bytes.ascii("location");
    private static final byte[] TRANSACTION_PATH = Bytes.ascii("/api/v1/transaction/");
    private static final byte[] ID = Bytes.ascii("{\"transaction\":[{\"id\":\"");
    private static final byte[] IMAGE = Bytes.ascii("\"qr_code_image\":\"data:image/png;base64,");
    private static final byte[] PAGE = Bytes.ascii("{\"transactions\":[{\"id\":\"");
    private static final int UUID_LENGTH = 36;
    /** Of the second half of a UUID in its text: after 8-4-4-. */
    private static final int LOW_AT = 19;

    private static final int EXCERPT_MAX = 300;

    private final Ledger ledger;
    private final Requests requests;
    private final byte[] uuid = new byte[UUID_LENGTH];
    private int imageAt;

    AnswerCheck(Ledger ledger, Requests requests) {
        this.ledger = ledger;
        this.requests = requests;
    }

    /** Notes the answer in the ledger when it is right; says whether it was. */
    boolean accept(MessageParser answer, Call call, int number) {
        if (answer.status() != call.status()) {
            return false;
        }
        return switch (call) {
            case PENDING_CASHIN, PAID_CASHIN -> hasImage(answer) && isCreated(answer, number);
            case CASHOUT -> isCreated(answer, number);
            case SHOW -> isShown(answer, number);
            case LIST_FIRST_PAGE, LIST_LAST_PAGE -> isPage(answer, number);
        };
    }

    /** What to tell of a wrong answer. */
    static String excerpt(MessageParser answer) {
        int length = Math.min(EXCERPT_MAX, answer.keptLength() - answer.headLength());
        String body = new String(answer.bytes(), answer.headLength(), length, StandardCharsets.UTF_8);
        return "status " + answer.status() + " " + body;
    }

    private boolean isCreated(MessageParser answer, int number) {
        int location = answer.header(LOCATION);
        int id = location < 0
                ? -1
                : Bytes.indexOf(answer.bytes(), location, answer.endOfHeader(location), TRANSACTION_PATH);
        if (id < 0) {
            return false;
        }
        int idAt = id + TRANSACTION_PATH.length;
        ledger.answered(number, Bytes.parseHex(answer.bytes(), idAt), Bytes.parseHex(answer.bytes(), idAt + LOW_AT));
        return true;
    }

    /** It mostly stands where it stood in the answer before. */
    private boolean hasImage(MessageParser answer) {
        if (!Bytes.startsWith(answer.bytes(), imageAt, answer.keptLength(), IMAGE)) {
            imageAt = Bytes.indexOf(answer.bytes(), answer.headLength(), answer.keptLength(), IMAGE);
        }
        return imageAt >= 0;
    }

    private boolean isShown(MessageParser answer, int number) {
        int shown = requests.shownNumber(number);
        Bytes.writeUuid(uuid, 0, ledger.high(shown), ledger.low(shown));
        int idAt = answer.headLength() + ID.length;
        ledger.answered(number, ledger.high(shown), ledger.low(shown));
        return Bytes.startsWith(answer.bytes(), answer.headLength(), answer.keptLength(), ID)
                && Bytes.startsWith(answer.bytes(), idAt, answer.keptLength(), uuid);
    }

    private boolean isPage(MessageParser answer, int number) {
        ledger.answered(number, 1, 1);
        return Bytes.startsWith(answer.bytes(), answer.headLength(), answer.keptLength(), PAGE);
    }
}
