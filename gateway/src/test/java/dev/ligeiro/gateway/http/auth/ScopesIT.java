package dev.ligeiro.gateway.http.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls every route of the public port with keys that have one scope only. */
@ExtendWith(SharedGateway.class)
class ScopesIT {

    private static final String API = "/api/v1";
    private static final String CASHIN = "POST /api/v1/transaction/pix/cashin";

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    ScopesIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
    }

    @Test
    void everyRouteOfTheApiNeedsAKey() {
        assertThat(apiRoutes()).hasSizeGreaterThan(20).allSatisfy(route -> {
            Answer refused = call(gateway.api(), route).expectProblem(401, "unauthorized");
            assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"ligeiro\"");
        });
    }

    @ParameterizedTest
    @EnumSource
    void aScopePermitsItsOwnRoutesOnly(Scope scope) {
        Api limited = gateway.api()
                .withToken(merchant.newKey("{\"mode\":\"test\",\"scopes\":[\"" + scope.code() + "\"]}")
                        .text("key"));
        List<String> permitted = new ArrayList<>();

        for (String route : apiRoutes()) {
            Answer answer = call(limited, route);
            assertThat(answer.status()).as(route).isNotEqualTo(401);
            if (answer.status() != 403) {
                permitted.add(route);
            } else {
                assertThat(answer.expectProblem(403, "insufficient_scope").header("WWW-Authenticate"))
                        .startsWith("Bearer realm=\"ligeiro\", error=\"insufficient_scope\", scope=\"");
                // the description says that such a request is not counted
                assertThat(answer.header("RateLimit")).as(route).isEmpty();
            }
        }

        assertThat(permitted)
                .containsExactlyInAnyOrderElementsOf(apiRoutes().stream()
                        .filter(route -> permits(scope, route))
                        .toList());
    }

    /** A route that fits none of these rules is permitted to no scope, so that the test fails until somebody decides. */
    private static boolean permits(Scope scope, String route) {
        boolean isWebhooks = route.contains(" /api/v1/webhooks");
        boolean isTransactions = route.contains("/transaction") || route.contains("/events");
        if (route.contains("/console-sessions")) {
            return true;
        }
        boolean isBooks = route.contains("/balance") || route.contains("/statement");
        boolean isApproval = route.endsWith("/approve") || route.endsWith("/reject");
        return switch (scope) {
            case WEBHOOKS_MANAGE -> isWebhooks;
            case TRANSACTIONS_READ ->
                isTransactions && route.startsWith("GET ") || route.endsWith("/keys") || route.endsWith("/figures");
            case TRANSACTIONS_WRITE -> isTransactions && route.startsWith("POST ") && !isApproval;
            case CASHOUTS_APPROVE -> isApproval;
            case STATEMENT_READ -> isBooks;
            case CASHINS_WRITE -> route.equals(CASHIN);
            case CASHOUTS_WRITE -> route.equals("POST " + TestMerchant.CASHOUT);
        };
    }

    private List<String> apiRoutes() {
        return gateway.routes().stream()
                .filter(route -> route.contains(" " + API))
                .toList();
    }

    private static Answer call(Api api, String route) {
        String[] parts = route.split(" ");
        String path = parts[1].replaceAll("\\{[a-z_]+}", UUID.randomUUID().toString());
        return parts[0].equals("GET") ? api.get(path) : Api.send(api.json(parts[0], path, "{}"));
    }
}
