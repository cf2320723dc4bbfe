package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.transaction.Party;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes the HTTP request of each call. */
final class Requests {

    private static final String LIST = MerchantApi.TRANSACTIONS_PATH;

    private final MerchantApi merchant;
    private final CallJournal journal;
    private final String headers;
    private volatile int shownMax = 1;
    private volatile int lastPage = 1;
    private volatile List<String> listQueries = List.of("");

    Requests(MerchantApi merchant, CallJournal journal) {
        this.merchant = merchant;
        this.journal = journal;
        URI gateway = URI.create(merchant.api().baseUrl());
        this.headers = " HTTP/1.1\r\nHost: %s:%d\r\nAuthorization: Bearer %s\r\nAccept: application/json\r\n"
                .formatted(gateway.getHost(), gateway.getPort(), merchant.api().token());
    }

    /**
     * Later reading calls request these.
     *
     * @param newShownMax the number of transactions to show: those of the scenario's first calls, all of them answered
     * @param newLastPage the number of the last page of the list without a filter
     */
    void read(int newShownMax, int newLastPage, List<String> newListQueries) {
        shownMax = newShownMax;
        lastPage = newLastPage;
        listQueries = newListQueries;
    }

    byte[] bytes(Call call, int number) {
        return switch (call) {
            case PENDING_CASHIN -> post(MerchantApi.CASHIN_PATH, json(number, ".50", ""));
            case PAID_CASHIN -> post(MerchantApi.CASHIN_PATH, json(number, ".11", ""));
            case CASHOUT -> post(MerchantApi.CASHOUT_PATH, json(number, ".50", pixKey(number)));
            case SHOW -> get(MerchantApi.transactionPath(shownId(number)));
            case LIST_FIRST_PAGE -> get(LIST);
            case LIST_LAST_PAGE -> get(LIST + "?page=" + lastPage);
            case LIST_FILTERED -> get(LIST + "?" + listQueries.get(number / 3 % listQueries.size()));
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
                + ",\"platform\":\"" + merchant.platformId() + "\",\"reference\":\""
                + journal.identifiers().reference(number)
                + "\",\"extra\":\"" + journal.identifiers().extra(number) + '"' + more + '}';
    }

    private static String pixKey(int number) {
        return ",\"key_type\":\"EMAIL\",\"pix_key\":\""
                + Customers.payer(number).email() + '"';
    }

    private byte[] post(String path, String json) {
        int length = json.getBytes(StandardCharsets.UTF_8).length;
        String head = "POST " + path + headers + "Content-Type: application/json\r\nContent-Length: " + length;
        return (head + "\r\n\r\n" + json).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] get(String path) {
        return ("GET " + path + headers + "\r\n").getBytes(StandardCharsets.UTF_8);
    }
}
