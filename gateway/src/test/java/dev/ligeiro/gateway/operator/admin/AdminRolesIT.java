package dev.ligeiro.gateway.operator.admin;

import static dev.ligeiro.gateway.fixture.RunningGateway.MONEY_TOKEN;
import static dev.ligeiro.gateway.fixture.RunningGateway.OPERATOR_TOKEN;
import static dev.ligeiro.gateway.fixture.RunningGateway.READER_TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which role each route of the management port needs. A route without a line here fails the test. */
@ExtendWith(SharedGateway.class)
class AdminRolesIT {

    private static final Map<String, String> TOKENS =
            Map.of("read", READER_TOKEN, "operate", OPERATOR_TOKEN, "money", MONEY_TOKEN);

    /** The role that a route needs; of two roles the request's body says which one. */
    private static final String ROLES =
            """
            GET /admin/after-backup | read
            GET /admin/approvals | read
            GET /admin/audit | read
            GET /admin/audit/links | read
            GET /admin/audit/{id} | read
            GET /admin/books/rebuild | read
            POST /admin/books/rebuild | operate
            GET /admin/breaks | read
            POST /admin/breaks/{id}/close | money
            GET /admin/cashouts-stop | read
            PUT /admin/cashouts-stop | operate money
            GET /admin/dead-letters | read
            POST /admin/dead-letters/redrive | operate
            GET /admin/endpoints/failing | read
            GET /admin/keys | read
            GET /admin/keys/{id}/uses | read
            GET /admin/merchants | read
            POST /admin/merchants | operate
            GET /admin/merchants/{id} | read
            PATCH /admin/merchants/{id} | operate
            GET /admin/merchants/{id}/endpoints | read
            GET /admin/merchants/{id}/endpoints/{endpoint_id}/changes | read
            GET /admin/merchants/{id}/endpoints/{endpoint_id}/deliveries | read
            POST /admin/merchants/{id}/endpoints/{endpoint_id}/enable | operate
            POST /admin/merchants/{id}/endpoints/{endpoint_id}/replay | operate
            GET /admin/merchants/{id}/endpoints/{endpoint_id}/replays/{replay_id} | read
            POST /admin/merchants/{id}/endpoints/{endpoint_id}/test | operate
            PUT /admin/merchants/{id}/expiry | operate
            PUT /admin/merchants/{id}/fees | operate
            POST /admin/merchants/{id}/freeze | operate
            GET /admin/merchants/{id}/guard | read
            PUT /admin/merchants/{id}/guard | money
            GET /admin/merchants/{id}/keys | read
            POST /admin/merchants/{id}/keys | operate money
            GET /admin/merchants/{id}/keys/{key_id} | read
            DELETE /admin/merchants/{id}/keys/{key_id} | operate
            PUT /admin/merchants/{id}/keys/{key_id}/networks | operate money
            POST /admin/merchants/{id}/keys/{key_id}/rotate | operate money
            PUT /admin/merchants/{id}/limits | operate money
            GET /admin/merchants/{id}/platforms | read
            POST /admin/merchants/{id}/platforms | operate
            GET /admin/merchants/{id}/platforms/{platform_id} | read
            PUT /admin/merchants/{id}/refunds | operate
            POST /admin/merchants/{id}/unfreeze | money
            GET /admin/resolutions | read
            POST /admin/resolutions | money
            GET /admin/resolutions/{id} | read
            POST /admin/resolutions/{id}/confirm | money
            POST /admin/resolutions/{id}/withdraw | money
            GET /admin/route-stop | read
            PUT /admin/route-stop | operate money
            GET /admin/status | read
            GET /admin/transactions | read
            GET /admin/transactions/{id} | read
            POST /admin/transactions/{id}/approve | money
            POST /admin/transactions/{id}/reject | money
            GET /admin/unmatched-payments | read
            GET /admin/unsettled | read
            GET /admin/webhook-networks | read
            POST /admin/webhook-secrets/encrypt-again | operate
            """;

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    AdminRolesIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
    }

    @Test
    void eachRouteIsOpenToItsRolesOnly() {
        Map<String, Set<String>> open = new TreeMap<>();
        for (String route : routes("/admin/")) {
            Answer stranger = call(null, route).expectProblem(401, "unauthorized");
            assertThat(stranger.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"ligeiro-admin\"");
            Set<String> roles = new TreeSet<>();
            TOKENS.forEach((role, token) -> {
                if (isOpen(call(token, route))) {
                    roles.add(role);
                }
            });
            open.put(route, roles);
        }

        assertThat(open).isEqualTo(expected());
    }

    private static Map<String, Set<String>> expected() {
        return ROLES.lines()
                .map(line -> line.split(" \\| "))
                .collect(Collectors.toMap(
                        line -> line[0],
                        line -> line[1].equals("read") ? TOKENS.keySet() : Set.of(line[1].split(" "))));
    }

    /** A body that no route can read: it changes nothing, also where the caller may. */
    private Answer call(@Nullable String token, String route) {
        String[] parts = route.split(" ");
        String path = parts[1].replaceAll("\\{[a-z_]+}", UUID.randomUUID().toString());
        Api api = gateway.admin().withToken(token);
        return parts[0].equals("GET") ? api.get(path) : Api.send(api.json(parts[0], path, "{"));
    }

    private static boolean isOpen(Answer answer) {
        if (answer.status() == 403) {
            answer.expectProblem(403, "insufficient_role");
            return false;
        }
        assertThat(answer.status()).isIn(200, 400, 404, 422);
        return true;
    }

    private List<String> routes(String prefix) {
        return gateway.managementRoutes().stream()
                .filter(route -> route.contains(" " + prefix))
                .toList();
    }

    @Test
    void nothingElseIsOnThePort() {
        assertThat(gateway.managementRoutes()).allMatch(route -> route.matches("[A-Z]+ /(admin/|console).*"));
    }

    /** The pages check the rest by the admin API. */
    @Test
    void eachPageOfTheConsoleNeedsASession() {
        for (String route : routes("/console")) {
            String[] parts = route.split(" ");
            String path = parts[1].replaceAll("\\{[a-z_]+}", UUID.randomUUID().toString());
            boolean isOpen = path.matches("/console/(sign-in|sign-out|language)|/console/.*\\.(css|js|woff2|svg)");
            Api api = gateway.admin().withToken(null);
            Answer answer = parts[0].equals("GET")
                    ? api.get(path)
                    : Api.send(api.request(path)
                            .header("Origin", api.baseUrl())
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .method(parts[0], BodyPublishers.ofString("reason=x")));
            if (path.equals("/console/events")) {
                answer.expectProblem(401, "unauthorized");
            } else if (!isOpen) {
                assertThat(answer.status()).as(route).isEqualTo(303);
                assertThat(answer.header("Location")).as(route).startsWith("/console/sign-in");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "POST | /keys | {'mode':'live','scopes':['transactions:write']} | money",
                "POST | /keys | {'mode':'live','scopes':['cashouts:write','transactions:read']} | money",
                "POST | /keys | {'mode':'live','scopes':['cashouts:approve']} | money",
                "POST | /keys | {'mode':'live','scopes':['cashins:write','transactions:read','statement:read','webhooks:manage']} | operate",
                "POST | /keys | {'mode':'live'} | operate",
                "POST | /keys | {'mode':'test','scopes':['transactions:write','cashouts:approve']} | operate",
                "POST | /keys/paying/rotate | {} | money",
                "POST | /keys/paying/rotate | {'overlap':0} | money",
                "POST | /keys/reading/rotate | {} | operate",
                "POST | /keys/test/rotate | {} | operate",
                "PUT | /keys/paying/networks | {'allowed_networks':['192.0.2.7']} | operate",
                "PUT | /keys/paying/networks | {'allowed_networks':['192.0.2.7','203.0.113.7']} | money",
                "PUT | /keys/paying/networks | {} | money",
                "PUT | /keys/reading/networks | {} | operate",
                "PUT | /keys/test/networks | {} | operate",
                "PUT | /limits | {'cashout':{'amount_min':'2.00','amount_max':'400.00'},'reads_per_second':5,'writes_per_second':5} | operate",
                "PUT | /limits | {'cashout':{'amount_min':'2.00','amount_max':'500.01'},'reads_per_second':5,'writes_per_second':5} | money",
                "PUT | /limits | {'cashout':{'amount_min':'0.99','amount_max':'500.00'},'reads_per_second':5,'writes_per_second':5} | money",
                "PUT | /limits | {'cashout':{'amount_min':'2.00'},'reads_per_second':5,'writes_per_second':5} | money",
                "PUT | /limits | {'cashout':{'amount_min':'2.00','amount_max':'400.00'},'reads_per_second':5,'writes_per_second':51} | money",
                "PUT | /limits | {'cashout':{'amount_min':'2.00','amount_max':'400.00'},'reads_per_second':5} | money",
                "PUT | /limits | {} | money",
                "PUT | /guard | {'mode':'live','amount_max':'10.00'} | money",
                "POST | /freeze | {'reason':'x'} | operate",
                "POST | /unfreeze | {'reason':'x'} | money",
                "PUT | cashouts-stop | {'stopped':true,'merchant':'merchant','reason':'x'} | operate",
                "PUT | cashouts-stop | {'stopped':false,'merchant':'merchant','reason':'x'} | money",
                "PUT | route-stop | {'stopped':false,'rail':'a-rail','operation':'cashin','reason':'x'} | operate",
                "PUT | route-stop | {'stopped':false,'rail':'a-rail','operation':'cashout','reason':'x'} | money",
                "PUT | route-stop | {'stopped':false,'rail':'a-rail','reason':'x'} | money",
            })
    void whatLetsMoreMoneyOutNeedsTheRoleMoney(String method, String path, String body, String role) {
        String one = "/admin/merchants/" + merchant.id();
        gateway.admin()
                .put(
                        one + "/limits",
                        "{\"cashout\":{\"amount_min\":\"1.00\",\"amount_max\":\"500.00\"},\"reads_per_second\":50,\"writes_per_second\":50}")
                .expect(204);
        String paying = key("'mode':'live','scopes':['cashouts:write'],'allowed_networks':['192.0.2.7','10.0.0.0/8']");
        String reading = key("'mode':'live','scopes':['transactions:read'],'allowed_networks':['192.0.2.7']");
        String test = key("'mode':'test','scopes':['transactions:write'],'allowed_networks':['192.0.2.7']");
        String target = path.startsWith("/")
                ? one
                        + path.replace("paying", paying)
                                .replace("reading", reading)
                                .replace("test", test)
                : "/admin/" + path;
        String json = body.replace("'merchant':'merchant'", "'merchant':'" + merchant.id() + "'")
                .replace('\'', '"');
        String other = role.equals("money") ? "operate" : "money";

        send(other, method, target, json).expectProblem(403, "insufficient_role");
        send("read", method, target, json).expectProblem(403, "insufficient_role");
        assertThat(send(role, method, target, json).status()).isIn(200, 201, 204);
    }

    private String key(String members) {
        return merchant.newKey("{" + members.replace('\'', '"') + "}").text("id");
    }

    private Answer send(String role, String method, String path, String json) {
        return Api.send(gateway.admin().withToken(TOKENS.get(role)).json(method, path, json));
    }
}
