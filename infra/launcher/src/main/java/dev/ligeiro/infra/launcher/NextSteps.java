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
              api() { curl -sS -w '\\n' -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' "$@"; }

              api $BASE_URL/api/v1/webhooks -d '{"url":"http://127.0.0.1:9000/","secret":"'$WEBHOOK_SECRET'"}'

              api $BASE_URL/api/v1/transaction/pix/cashin -d '{"name":"Maria Silva","email":"maria@example.com","phone":"11987654321","document":"52998224725","description":"Order 1","amount":10.00,"platform":"'$PLATFORM_ID'"}' > cashin.json
              ID=$(grep -o '"id":"[^"]*"' cashin.json | head -1 | cut -d'"' -f4); echo $BASE_URL/checkout/$ID

              api -X POST $BASE_URL/api/v1/sandbox/transaction/$ID/pay
              api $BASE_URL/api/v1/transaction/$ID

            Logs: %7$s
            """;

    private NextSteps() {}

    static String text(String baseUrl, Home home, Path root) {
        return TEXT.formatted(
                baseUrl,
                ProcessHandle.current().pid(),
                home.folder(),
                DemoEnv.quoted(home.demoEnv().toString()),
                DemoEnv.quoted(root.resolve("infra/receiver").toString()),
                DemoEnv.quoted(home.folder().toString()),
                home.logs());
    }
}
