package dev.ligeiro.infra.loadtest.generate;

import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.journal.Call;
import dev.ligeiro.infra.loadtest.journal.CallIdentifiers;
import dev.ligeiro.infra.loadtest.journal.CallJournal;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Writes the HTTP request of each call. */
final class Requests {

    private static final String LIST = MerchantApi.TRANSACTIONS_PATH;

    private final MerchantApi merchant;
    private final CallIdentifiers identifiers;
    private final CallJournal journal;
    private final String headers;
    private volatile int shownMax = 1;
    private volatile int lastPage = 1;

    Requests(MerchantApi merchant, CallIdentifiers identifiers, CallJournal journal) {
        URI gateway = URI.create(merchant.api().baseUrl());
        this.merchant = merchant;
        this.identifiers = identifiers;
        this.journal = journal;
        this.headers = " HTTP/1.1\r\nHost: %s:%d\r\nAuthorization: Bearer %s\r\nAccept: application/json\r\n"
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
            case PENDING_CASHIN -> post(MerchantApi.CASHIN_PATH, json(number, ".50", ""));
            case PAID_CASHIN -> post(MerchantApi.CASHIN_PATH, json(number, ".11", ""));
            case CASHOUT ->
                post(
                        MerchantApi.CASHOUT_PATH,
                        json(number, ".50", ",\"key_type\":\"EMAIL\",\"pix_key\":\"" + email(number) + '"'));
            case SHOW -> get(MerchantApi.transactionPath(shownId(number)));
            case LIST_FIRST_PAGE -> get(LIST);
            case LIST_LAST_PAGE -> get(LIST + "?page=" + lastPage);
        };
    }

    /** The id of the transaction that the show with this number requests: any of them, in no order. */
    String shownId(int number) {
        return journal.id((int) Long.remainderUnsigned(CallIdentifiers.scramble(number), shownMax))
                .toString();
    }

    private String json(int number, String cents, String more) {
        long customer = Customers.of(number);
        return "{\"name\":\"" + Customers.name(customer) + "\",\"email\":\"" + email(number) + "\",\"phone\":\""
                + Customers.phone(customer) + "\",\"description\":\"Pedido " + CallIdentifiers.padded(number, 10)
                + " da loja de teste\",\"document\":\"" + Customers.cpf(customer) + "\",\"amount\":1"
                + CallIdentifiers.padded(number % 100, 2) + cents + ",\"platform\":\"" + merchant.platformId()
                + "\",\"reference\":\"" + identifiers.reference(number) + "\",\"extra\":\"" + identifiers.extra(number)
                + '"' + more + '}';
    }

    private static String email(int number) {
        return "cliente" + CallIdentifiers.padded(number, 10) + "@example.com";
    }

    private byte[] post(String path, String json) {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        byte[] head = ("POST " + path + headers + "Content-Type: application/json\r\nContent-Length: " + body.length
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8);
        byte[] request = new byte[head.length + body.length];
        System.arraycopy(head, 0, request, 0, head.length);
        System.arraycopy(body, 0, request, head.length, body.length);
        return request;
    }

    private byte[] get(String path) {
        return ("GET " + path + headers + "\r\n").getBytes(StandardCharsets.UTF_8);
    }
}
