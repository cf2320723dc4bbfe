package dev.ligeiro.gateway.operator.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ligeiro.gateway.http.auth.ClientAddress;
import dev.ligeiro.gateway.http.auth.ClientAddress.ProxyProperties;
import dev.ligeiro.gateway.operator.admin.AdminToken.AdminProperties;
import dev.ligeiro.testing.settings.Settings;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdminTokenTest {

    private static final String TOKENS = "ligeiro.admin.tokens.";
    private static final String TOKEN = "0123456789abcdef";

    @Test
    void everyOperatorHasAToken() {
        AdminProperties set =
                Settings.of(AdminProperties.class, TOKENS + "ana=" + TOKEN, TOKENS + "night-shift=" + TOKEN + "x");

        assertThat(set).isEqualTo(new AdminProperties(Map.of("ana", TOKEN, "night-shift", TOKEN + "x"), Map.of()));
        assertThat(set.toString()).doesNotContain(TOKEN);
    }

    @ParameterizedTest
    @CsvSource({
        "'',           READ OPERATE",
        "read,         READ",
        "'read,money', READ MONEY",
        "'money',      READ MONEY",
    })
    void anOperatorHasTheRolesThatAreSet(String roles, String has) {
        String token = TOKENS + "ana=" + TOKEN;
        AdminProperties set = roles.isEmpty()
                ? Settings.of(AdminProperties.class, token)
                : Settings.of(AdminProperties.class, token, "ligeiro.admin.roles.ana=" + roles);

        Operator ana = set.operator("ana");

        assertThat(Stream.of(Role.values()).filter(ana::has))
                .containsExactly(Stream.of(has.split(" ")).map(Role::valueOf).toArray(Role[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "bia=read, 'ligeiro.admin.roles: [bia] (expected: names that have a token in ligeiro.admin.tokens)'",
        "ana=all,  'ligeiro.admin.roles.ana'",
    })
    void aRoleWithoutATokenStopsTheStart(String setting, String message) {
        assertThat(Settings.refusal(AdminProperties.class, TOKENS + "ana=" + TOKEN, "ligeiro.admin.roles." + setting))
                .contains(message);
    }

    @ParameterizedTest
    @CsvSource({
        "ana=0123456789abcde,      'ligeiro.admin.tokens.ana: a token of 15 characters (expected: at least 16)'",
        "admin=0123456789abcdef,   'ligeiro.admin.tokens: admin (expected: names of 1 to 40 lower-case letters,'",
        "'[Ana Souza]=0123456789abcdef', 'ligeiro.admin.tokens: Ana Souza (expected: names of 1 to 40'",
    })
    void anInvalidTokenStopsTheStart(String setting, String message) {
        assertThat(Settings.refusal(AdminProperties.class, TOKENS + setting)).contains(message);
    }

    @ParameterizedTest
    @CsvSource({"0123456789abcde, 15", "'0123456789abcde ', 15", "' ', 0"})
    void aShortTokenOfAdminStopsTheStart(String token, int length) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> admin(token, new AdminProperties(Map.of(), Map.of())))
                .withMessage("ligeiro.admin-token: a token of " + length + " characters (expected: at least 16)");
    }

    /** White space at its end is not part of a token: a mounted secret often has a line break there. */
    @ParameterizedTest
    @CsvSource({"'', " + TOKEN + ", ' " + TOKEN + "'", TOKEN + ", " + TOKEN + "x, '" + TOKEN + " '"})
    void aTokenBelongsToOneOperator(String admin, String ana, String bia) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> admin(admin, new AdminProperties(Map.of("ana", ana, "bia", bia), Map.of())))
                .withMessageContaining("two operators have the same token")
                .withMessageNotContaining(TOKEN);
    }

    private static AdminToken admin(String token, AdminProperties properties) {
        ClientAddress addresses = new ClientAddress(new ProxyProperties(List.of()));
        return new AdminToken(token, properties, new WrongTokens(addresses, Clock.systemUTC()));
    }
}
