package dev.ligeiro.infra.loadtest.merchant;

import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.transaction.Party;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes the HTTP request of each call. */
public final class Requests {

    private static final String LIST = MerchantApi.TRANSACTIONS_PATH;

    private final List<MerchantApi> merchants;
    private final CallJournal journal;
    private final List<String> headers;
    private volatile int shownMax = 1;
    private volatile int lastPage = 1;

    /** @param merchants make the calls in turn */
    Requests(List<MerchantApi> merchants, CallJournal journal) {
        this.merchants = merchants;
        this.journal = journal;
        this.headers = merchants.stream().map(Requests::headers).toList();
    }

    private static String headers(MerchantApi merchant) {
        URI gateway = URI.create(merchant.api().baseUrl());
        return " HTTP/1.1\r\nHost: %s:%d\r\nAuthorization: Bearer %s\r\nAccept: application/json\r\n"
                .formatted(gateway.getHost(), gateway.getPort(), merchant.api().token());
    }

    /**
     * Later reading calls request these.
     *
     * @param newShownMax the number of transactions to show: those of the scenario's first calls, all of them answered
     * @param newLastPage the number of the list's last page
     */
    void read(int newShownMax, int newLastPage) {
        shownMax = newShownMax;
        lastPage = newLastPage;
    }

    byte[] bytes(Call call, int number) {
        return switch (call) {
            case PENDING_CASHIN -> post(number, MerchantApi.CASHIN_PATH, json(number, ".50", ""));
            case PAID_CASHIN -> post(number, MerchantApi.CASHIN_PATH, json(number, ".11", ""));
            case CASHOUT -> post(number, MerchantApi.CASHOUT_PATH, json(number, ".50", pixKey(number)));
            case SHOW -> get(number, MerchantApi.transactionPath(shownId(number)));
            case LIST_FIRST_PAGE -> get(number, LIST);
            case LIST_LAST_PAGE -> get(number, LIST + "?page=" + lastPage);
        };
    }

    /** The id of the transaction that the show with this number requests: any of them, in no order. */
    String shownId(int number) {
        return journal.id((int) Long.remainderUnsigned(CallIdentifiers.scramble(number), shownMax))
                .toString();
    }

    private String json(int number, String cents, String more) {
        Party payer = Customers.payer(number);
        return "{\"name\":\"" + payer.name() + "\",\"email\":\"" + payer.email() + "\",\"phone\":\"" + payer.phone()
                + "\",\"description\":\"Pedido " + CallIdentifiers.padded(number, 10)
                + " da loja de teste\",\"document\":\""
                + payer.document() + "\",\"amount\":1" + CallIdentifiers.padded(number % 100, 2) + cents
                + ",\"platform\":\"" + merchants.get(number % merchants.size()).platformId() + "\",\"reference\":\""
                + journal.identifiers().reference(number)
                + "\",\"extra\":\"" + journal.identifiers().extra(number) + '"' + more + '}';
    }

    private static String pixKey(int number) {
        return ",\"key_type\":\"EMAIL\",\"pix_key\":\""
                + Customers.payer(number).email() + '"';
    }

    private byte[] post(int number, String path, String json) {
        int length = json.getBytes(StandardCharsets.UTF_8).length;
        String head = "POST " + path + headers(number) + "Content-Type: application/json\r\nContent-Length: " + length;
        return (head + "\r\n\r\n" + json).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] get(int number, String path) {
        return ("GET " + path + headers(number) + "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    private String headers(int number) {
        return headers.get(number % headers.size());
    }
}
