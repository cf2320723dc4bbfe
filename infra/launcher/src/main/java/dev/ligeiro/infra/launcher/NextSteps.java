package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.client.DemoEnv;
import java.nio.file.Path;

/** The commands for a first try, printed when the system is ready. ReadmeIT compares them with the README. */
final class NextSteps {

    private static final String TEXT =
            """

            Ligeiro is up at %1$s. Ctrl-C or `kill %2$d` stops it; its data stays in %3$s.

            In a second terminal, start a receiver of webhooks:

              python3 %5$s 9000 --home %6$s

            In a third terminal, create a transaction and pay it:

              . %4$s
              api() { curl --noproxy '*' -sS -w '\\n' -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' "$@"; }

              api $BASE_URL/api/v1/webhooks -d '{"url":"http://127.0.0.1:9000/","secret":"'$WEBHOOK_SECRET'"}'

              api $BASE_URL/api/v1/transaction/pix/cashin -d '{"name":"Maria Silva","email":"maria@example.com","phone":"11987654321","document":"52998224725","description":"Order 1","amount":10.00,"platform":"'$PLATFORM_ID'"}' > cashin.json
              ID=$(grep -o '"id":"[^"]*"' cashin.json | head -1 | cut -d'"' -f4); echo $BASE_URL/checkout/$ID

              api -X POST $BASE_URL/api/v1/sandbox/transaction/$ID/pay
              api $BASE_URL/api/v1/transaction/$ID

            """;

    private static final String LIVE =
            """
            Live mode, with the same receiver. The first loop pays at the bank as soon as it has the charge:

              live() { curl --noproxy '*' -sS -w '\\n' -H "Authorization: Bearer $LIVE_API_KEY" -H 'Content-Type: application/json' "$@"; }

              live $BASE_URL/api/v1/webhooks -d '{"url":"http://127.0.0.1:9000/","secret":"'$WEBHOOK_SECRET'"}'

              live $BASE_URL/api/v1/transaction/pix/cashin -d '{"name":"Maria Silva","email":"maria@example.com","phone":"11987654321","document":"52998224725","description":"Order 1","amount":10.00,"platform":"'$LIVE_PLATFORM_ID'"}' > live.json
              ID=$(grep -o '"id":"[^"]*"' live.json | head -1 | cut -d'"' -f4); echo $BASE_URL/checkout/$ID
              QR=$(grep -o '"qr_code":"[^"]*"' live.json | cut -d'"' -f4)
              for i in $(seq 30); do curl -sf $BANK_CONTROL_URL/payer/pay -d '{"qr_code":"'"$QR"'"}' && echo && break; sleep 1; done

              live $BASE_URL/api/v1/transaction/pix/cashout -d '{"name":"Maria Silva","email":"maria@example.com","phone":"11987654321","document":"52998224725","description":"Payout 1","amount":5.00,"pix_key":"joao@example.com","key_type":"EMAIL","platform":"'$LIVE_PLATFORM_ID'"}'

              for i in $(seq 30); do live $BASE_URL/api/v1/transaction/$ID | grep -q '"status":"paid"' && break; sleep 1; done
              live $BASE_URL/api/v1/transaction/$ID/refund -d '{"amount":10.00}'

              curl -sS -w '\\n' $BANK_CONTROL_URL/ledger

            """;

    private NextSteps() {}

    /** @param live whether live mode leads to the bank */
    static String text(String baseUrl, Home home, Path root, boolean live) {
        String test = TEXT.formatted(
                baseUrl,
                ProcessHandle.current().pid(),
                home.folder(),
                DemoEnv.quoted(home.demoEnv().toString()),
                DemoEnv.quoted(root.resolve("infra/receiver").toString()),
                DemoEnv.quoted(home.folder().toString()));
        return test + (live ? LIVE : "") + "Logs: " + home.logs() + "\n";
    }
}
