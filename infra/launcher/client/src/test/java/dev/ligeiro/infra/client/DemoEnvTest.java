package dev.ligeiro.infra.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoEnvTest {

    private static final DemoEnv ENV = new DemoEnv(
            "http://localhost:8080",
            "http://127.0.0.1:8085",
            "http://localhost:8086",
            "t0ken_-",
            "sk_test_abc",
            "0199f0c2-0000-7000-8000-000000000001",
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "mongodb://u:$p`\"\\@127.0.0.1:27117/ligeiro?replicaSet=rs0&w=majority",
            "127.0.0.1:9192",
            new DemoEnv.Pids(List.of(11L), List.of(21L, 22L), List.of(31L), List.of(51L), List.of(41L), List.of()),
            null);

    private static final DemoEnv WITH_LIVE_MODE = new DemoEnv(
            ENV.baseUrl(),
            ENV.adminUrl(),
            ENV.consoleUrl(),
            ENV.adminToken(),
            ENV.apiKey(),
            ENV.platformId(),
            ENV.webhookSecret(),
            ENV.mongodbUri(),
            ENV.kafkaBootstrapServers(),
            ENV.pids(),
            new DemoEnv.Live(
                    "sk_live_abc",
                    "0199f0c2-0000-7000-8000-000000000002",
                    "https://localhost:8443",
                    "/home/bank/ca.pem",
                    "/home/bank/ligeiro.pem",
                    "/home/bank/ligeiro.key",
                    "ligeiro",
                    "5ec2e7",
                    "0b8f5f4e-3a52-4d0e-9b61-0f6c1c2a7d35",
                    "http://127.0.0.1:8444"));

    @Test
    void keepsTheNamesThatOtherToolsRead() {
        assertThat(ENV.render())
                .isEqualTo(
                        """
                        BASE_URL=http://localhost:8080
                        ADMIN_URL=http://127.0.0.1:8085
                        CONSOLE_URL=http://localhost:8086
                        ADMIN_TOKEN=t0ken_-
                        API_KEY=sk_test_abc
                        PLATFORM_ID=0199f0c2-0000-7000-8000-000000000001
                        WEBHOOK_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
                        MONGODB_URI="mongodb://u:\\$p\\`\\"\\\\@127.0.0.1:27117/ligeiro?replicaSet=rs0&w=majority"
                        KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:9192
                        GATEWAY_PID="11"
                        PROCESSOR_PID="21 22"
                        WEBHOOK_DISPATCHER_PID="31"
                        DESK_PID="51"
                        MONGOD_PID=41
                        KAFKA_PID=
                        """);
    }

    @Test
    void withABankTheNamesOfLiveModeFollow() {
        assertThat(WITH_LIVE_MODE.render())
                .isEqualTo(
                        ENV.render()
                                + """
                                LIVE_API_KEY=sk_live_abc
                                LIVE_PLATFORM_ID=0199f0c2-0000-7000-8000-000000000002
                                BANK_URL=https://localhost:8443
                                BANK_CA=/home/bank/ca.pem
                                BANK_CERT=/home/bank/ligeiro.pem
                                BANK_KEY=/home/bank/ligeiro.key
                                BANK_CLIENT_ID=ligeiro
                                BANK_CLIENT_SECRET=5ec2e7
                                BANK_PIX_KEY=0b8f5f4e-3a52-4d0e-9b61-0f6c1c2a7d35
                                BANK_CONTROL_URL=http://127.0.0.1:8444
                                """);
    }

    @Test
    void readsBackWhatItWrites() {
        assertThat(DemoEnv.parse(ENV.render())).isEqualTo(ENV);
        assertThat(DemoEnv.parse(WITH_LIVE_MODE.render())).isEqualTo(WITH_LIVE_MODE);
    }

    @Test
    void thePidsOfAReplicaSetAreAQuotedList() {
        String text = ENV.render().replace("MONGOD_PID=41", "MONGOD_PID=\"41 42 43\"");
        DemoEnv threeMembers = DemoEnv.parse(text);
        assertThat(threeMembers.pids().mongod()).containsExactly(41L, 42L, 43L);
        assertThat(threeMembers.render()).isEqualTo(text);
    }

    @Test
    void namesTheMissingVariable() {
        assertThatThrownBy(() -> DemoEnv.parse(ENV.render().replace("API_KEY=sk_test_abc", "API_KEY=")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("demo.env: API_KEY is missing");
    }

    @Test
    void showsNoSecretInMessages() {
        assertThat(WITH_LIVE_MODE.toString())
                .doesNotContain("t0ken_-", "sk_test_abc", "whsec_", "sk_live_abc", "5ec2e7");
        assertThat(String.valueOf(WITH_LIVE_MODE.live())).doesNotContain("sk_live_abc", "5ec2e7");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    a.b-c_d:e/f@g%h+i,j=k?l  | a.b-c_d:e/f@g%h+i,j=k?l
                    a b                      | "a b"
                    a&b;c'd                  | "a&b;c'd"
                    $HOME `id`               | "\\$HOME \\`id\\`"
                    say "\\"                  | "say \\"\\\\\\""
                    """)
    void quotesValuesThatAShellWouldChange(String value, String quoted) {
        assertThat(DemoEnv.quoted(value)).isEqualTo(quoted);
    }
}
