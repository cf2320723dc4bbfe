package dev.ligeiro.infra.standalone.endtoend;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** What the simulated rail makes of a transaction, by operation and by the cents of the amount (design §2, magic amounts). */
enum Course {
    PAID_AT_ONCE(Merchant.CASHIN, "20.11", List.of("pending", "paid")),
    DENIED(Merchant.CASHIN, "20.12", List.of("pending", "denied")),
    LEFT_PENDING(Merchant.CASHIN, "20.00", List.of("pending")),
    PAID_OUT(Merchant.CASHOUT, "20.00", List.of("pending", "in_process", "paid"));

    private final String path;
    private final String amount;
    private final List<String> statuses;

    Course(String path, String amount, List<String> statuses) {
        this.path = path;
        this.amount = amount;
        this.statuses = statuses;
    }

    String path() {
        return path;
    }

    ObjectNode request(Merchant merchant) {
        return path.equals(Merchant.CASHIN) ? merchant.cashin(amount) : merchant.cashout(amount);
    }

    /** Every status it takes, the oldest first. */
    List<String> statuses() {
        return statuses;
    }

    /** The type of the webhook with this sequence, which starts at 1. */
    String webhookType(int sequence) {
        return sequence == 1 ? "transaction.created" : "transaction." + statuses.get(sequence - 1);
    }
}
