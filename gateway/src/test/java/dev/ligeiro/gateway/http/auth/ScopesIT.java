package dev.ligeiro.gateway.http.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Mode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which key each operation of the API needs, in both modes. An operation without a line here fails the test. */
@ExtendWith(SharedGateway.class)
class ScopesIT {

    /** The scopes that open an operation; {@code any}: every key. */
    private static final String SCOPES =
            """
            GET /api/v1/balance | statement:read
            GET /api/v1/console-sessions | any
            POST /api/v1/console-sessions | any
            DELETE /api/v1/console-sessions/{id} | any
            GET /api/v1/events | transactions:read
            GET /api/v1/figures | transactions:read
            GET /api/v1/keys | transactions:read
            GET /api/v1/platforms | any
            POST /api/v1/sandbox/transaction/{id}/analyze | transactions:write
            POST /api/v1/sandbox/transaction/{id}/deny | transactions:write
            POST /api/v1/sandbox/transaction/{id}/expire | transactions:write
            POST /api/v1/sandbox/transaction/{id}/pay | transactions:write
            POST /api/v1/sandbox/transaction/{id}/refund | transactions:write
            GET /api/v1/statement | statement:read
            GET /api/v1/statement.csv | statement:read
            POST /api/v1/transaction/pix/cashin | transactions:write cashins:write
            POST /api/v1/transaction/pix/cashout | transactions:write cashouts:write
            GET /api/v1/transaction/{id} | transactions:read
            POST /api/v1/transaction/{id}/approve | cashouts:approve
            POST /api/v1/transaction/{id}/cancel | transactions:write
            GET /api/v1/transaction/{id}/history | transactions:read
            POST /api/v1/transaction/{id}/refund | transactions:write
            GET /api/v1/transaction/{id}/refunds | transactions:read
            POST /api/v1/transaction/{id}/reject | cashouts:approve
            GET /api/v1/transactions | transactions:read
            GET /api/v1/transactions.csv | transactions:read
            GET /api/v1/webhooks | webhooks:manage
            POST /api/v1/webhooks | webhooks:manage
            DELETE /api/v1/webhooks/{id} | webhooks:manage
            GET /api/v1/webhooks/{id} | webhooks:manage
            PATCH /api/v1/webhooks/{id} | webhooks:manage
            GET /api/v1/webhooks/{id}/deliveries | webhooks:manage
            POST /api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver | webhooks:manage
            POST /api/v1/webhooks/{id}/replay | webhooks:manage
            GET /api/v1/webhooks/{id}/replays/{replay_id} | webhooks:manage
            POST /api/v1/webhooks/{id}/rotate-secret | webhooks:manage
            POST /api/v1/webhooks/{id}/test | webhooks:manage
            """;

    private static final Set<String> ALL =
            Arrays.stream(Scope.values()).map(Scope::code).collect(Collectors.toSet());

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    ScopesIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
    }

    @Test
    void everyOperationNeedsAKey() {
        assertThat(operations()).isNotEmpty().allSatisfy(operation -> {
            Answer refused = call(gateway.api(), operation).expectProblem(401, "unauthorized");
            assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"ligeiro\"");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"test", "live"})
    void eachOperationIsOpenToItsScopesOnly(String mode) {
        Map<String, Set<String>> open = operations().stream().collect(Collectors.toMap(o -> o, o -> new TreeSet<>()));

        for (String scope : ALL) {
            open(open, scope, key(mode, scope), mode);
        }

        assertThat(open).isEqualTo(expected());
    }

    /** It reads, and creates what brings money in. */
    @ParameterizedTest
    @ValueSource(strings = {"test", "live"})
    void aKeyMadeWithoutScopesReadsAndCreatesCashins(String mode) {
        Map<String, Set<String>> open = operations().stream().collect(Collectors.toMap(o -> o, o -> new TreeSet<>()));

        open(open, "default", key(mode), mode);

        Set<String> scopes = Set.of("transactions:read", "statement:read", "cashins:write");
        open.values().removeIf(Set::isEmpty);
        assertThat(open.keySet())
                .isEqualTo(expected().entrySet().stream()
                        .filter(each -> each.getValue().stream().anyMatch(scopes::contains))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet()));
    }

    @Test
    void onlyPagesAreOpenToEverybody() {
        assertThat(gateway.routes().stream().filter(route -> !operations().contains(route)))
                .allMatch(
                        route -> route.matches(
                                "POST /api/v1/console-sessions/enter|(GET|HEAD) /(checkout/.*|openapi\\.json|docs|docs/.*)|[A-Z]+ /console.*|GET /docs.*"));
    }

    private void open(Map<String, Set<String>> open, String name, Api api, String mode) {
        open.forEach((operation, names) -> {
            Answer answer = call(api, operation);
            assertThat(answer.status()).as(operation).isNotEqualTo(401);
            boolean isSandbox = operation.contains("/sandbox/");
            if (answer.status() != 403) {
                assertThat(isSandbox && mode.equals("live")).as(operation).isFalse();
                names.add(name);
            } else if (isSandbox && mode.equals("live") && answer.text("code").equals("test_mode_only")) {
                names.add(name);
            } else {
                assertThat(answer.expectProblem(403, "insufficient_scope").header("WWW-Authenticate"))
                        .startsWith("Bearer realm=\"ligeiro\", error=\"insufficient_scope\", scope=\"");
                // the description says that such a request is not counted
                assertThat(answer.header("RateLimit")).as(operation).isEmpty();
            }
        });
    }

    private static Map<String, Set<String>> expected() {
        return SCOPES.lines()
                .map(line -> line.split(" \\| "))
                .collect(Collectors.toMap(
                        line -> line[0], line -> line[1].equals("any") ? ALL : Set.of(line[1].split(" "))));
    }

    private List<String> operations() {
        return gateway.routes().stream()
                .filter(route -> route.contains(" /api/v1") && !route.endsWith("/console-sessions/enter"))
                .toList();
    }

    private Api key(String mode, String... scopes) {
        Mode of = mode.equals("live") ? Mode.LIVE : Mode.TEST;
        return gateway.api().withToken(merchant.newKey(of, null, null, scopes).key());
    }

    private static Answer call(Api api, String operation) {
        String[] parts = operation.split(" ");
        String path = parts[1].replaceAll("\\{[a-z_]+}", UUID.randomUUID().toString());
        return parts[0].equals("GET") ? api.get(path) : Api.send(api.json(parts[0], path, "{}"));
    }
}
