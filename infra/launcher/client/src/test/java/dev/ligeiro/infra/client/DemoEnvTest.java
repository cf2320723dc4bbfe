package dev.ligeiro.infra.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoEnvTest {

    private static final String TEXT =
            """
            BASE_URL=http://localhost:8080
            ADMIN_TOKEN=t0ken_-
            API_KEY=sk_test_abc
            MONGODB_URI="mongodb://u:\\$p\\`\\"\\\\@127.0.0.1:27117/ligeiro?replicaSet=rs0&w=majority"
            GATEWAY_PID="11"
            PROCESSOR_PID="21 22"
            MONGOD_PID=41
            KAFKA_PID=
            """;

    @Test
    void readsWhatItWrites() {
        DemoEnv env = DemoEnv.parse(TEXT);
        assertThat(env.render()).isEqualTo(TEXT);
        assertThat(env.mongodbUri()).isEqualTo("mongodb://u:$p`\"\\@127.0.0.1:27117/ligeiro?replicaSet=rs0&w=majority");
        assertThat(env.pids().all()).containsExactly(11L, 21L, 22L, 41L);
        assertThat(env.hasLiveMode()).isFalse();
    }

    @Test
    void thePidsOfAReplicaSetAreAQuotedList() {
        String text = TEXT.replace("MONGOD_PID=41", "MONGOD_PID=\"41 42 43\"");
        assertThat(DemoEnv.parse(text).pids().mongod()).containsExactly(41L, 42L, 43L);
        assertThat(DemoEnv.parse(text).render()).isEqualTo(text);
    }

    @Test
    void namesTheMissingVariable() {
        DemoEnv env = DemoEnv.parse(TEXT.replace("API_KEY=sk_test_abc", "API_KEY="));
        assertThatThrownBy(env::apiKey)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("demo.env: API_KEY is missing");
    }

    @Test
    void showsNoSecretInMessages() {
        assertThat(DemoEnv.parse(TEXT).toString()).doesNotContain("t0ken_-", "sk_test_abc");
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
