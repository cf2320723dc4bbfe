package dev.ligeiro.gateway.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.PlayedProcessor;
import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import dev.ligeiro.infra.client.Api;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies with members that nobody reads, and empty values where the lack of a value allows or does more. */
@ExtendWith(SharedGateway.class)
class UnknownFieldsIT {

    private final RunningGateway gateway;
    private final TestMerchant merchant;

    UnknownFieldsIT(RunningGateway gateway, TestMerchant merchant) {
        this.gateway = gateway;
        this.merchant = merchant;
    }

    /** A new route is here by itself. */
    @Test
    void everyBodyButThatOfACreateRefusesUnknownFields() {
        String transaction = merchant.created(merchant.cashin());
        String endpoint = TestEndpoint.of(merchant).id().toString();
        String key = merchant.newKey("{\"mode\":\"test\",\"scopes\":[\"transactions:read\"]}")
                .expect(201)
                .text("id");
        TestMerchant approver =
                merchant.withKey(merchant.newKey("{\"mode\":\"test\",\"scopes\":[\"cashouts:approve\"]}")
                        .expect(201)
                        .text("key"));
        List<String> routes = new ArrayList<>(gateway.routes());
        routes.addAll(gateway.managementRoutes());
        routes.removeIf(route -> route.matches("(GET|DELETE|HEAD) .*") || route.contains(" /console"));

        assertThat(routes).hasSizeGreaterThan(35);
        for (String route : routes) {
            String path = route.split(" ")[1]
                    .replace("{endpoint_id}", endpoint)
                    .replace("{delivery_id}", endpoint + "." + endpoint)
                    .replace("{key_id}", key)
                    .replaceAll("\\{[a-z_]*}", idOf(route, transaction, endpoint));
            TestMerchant sender = path.endsWith("/approve") ? approver : merchant;
            Api api = path.startsWith("/admin/") ? gateway.admin() : sender.api();
            Answer answer = Api.send(api.json(route.split(" ")[0], path, "{\"unknown_member\":1}"));

            boolean isCreate = path.equals(TestMerchant.CASHIN) || path.equals(TestMerchant.CASHOUT);
            answer.expectProblem(422, "validation_failed");
            assertThat(answer.fieldErrors().contains("unknown_member:unknown_field"))
                    .as("%s refuses unknown fields: %s", route, answer.body())
                    .isNotEqualTo(isCreate);
        }
        merchant.api()
                .post(TestMerchant.CASHIN, merchant.cashin().put("unknown_member", 1))
                .expect(201);
    }

    private String idOf(String route, String transaction, String endpoint) {
        if (route.contains("/merchants/")) {
            return merchant.id();
        }
        return route.contains("/webhooks/") ? endpoint : transaction;
    }

    /** With the fault, all that was left was refunded. */
    @Test
    void aRefundOfAMistypedAmountRefundsNothing() {
        String id = merchant.created(merchant.cashin());
        try (PlayedProcessor processor = new PlayedProcessor(gateway)) {
            for (String route : List.of("/api/v1/transaction/%s/refund", "/api/v1/sandbox/transaction/%s/refund")) {
                Answer refused = merchant.api().post(route.formatted(id), "{\"amout\":10.00}");
                refused.expectProblem(422, "validation_failed");
                assertThat(refused.fieldErrors()).containsExactly("amout:unknown_field");
            }
            assertThat(processor.changes(id)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '#',
            delimiter = '|',
            value = {
                "POST  | /admin/merchants/{id}/keys    | {`mode`:`test`,`scopes`:[]}                         | scopes:invalid",
                "POST  | /admin/merchants/{id}/keys    | {`mode`:`test`,`allowed_networks`:[]}               | allowed_networks:invalid",
                "POST  | /admin/merchants/{id}/keys    | {`mode`:`test`,`expires_at`:``}                     | expires_at:invalid",
                "PUT   | /admin/merchants/{id}/guard   | {`mode`:`test`,`allowed_keys`:[]}                   | allowed_keys:invalid",
                "PUT   | /admin/merchants/{id}/guard   | {`mode`:`test`,`allowed_documents`:[]}              | allowed_documents:invalid",
                "PUT   | /admin/merchants/{id}/guard   | {`mode`:`test`,`amount_max`:``}                     | amount_max:invalid",
                "PUT   | /admin/merchants/{id}/limits  | {`cashout`:{`amount_max`:``}}                       | cashout.amount_max:invalid",
                "PUT   | /admin/merchants/{id}/fees    | {`cashout`:{`percent`:` `}}                         | cashout.percent:invalid",
                "PUT   | /admin/cashouts-stop          | {`stopped`:false,`merchant`:``,`reason`:`x`}        | merchant:invalid",
                "PUT   | /admin/cashouts-stop          | {`stopped`:false,`rail`:``,`reason`:`x`}            | rail:invalid",
                "PUT   | /admin/route-stop             | {`stopped`:false,`rail`:`a`,`operation`:``,`reason`:`x`} | operation:invalid",
                "POST  | /admin/dead-letters/redrive   | {`topic`:`transaction-events`,`all`:true,`after`:``} | after:invalid",
                "POST  | /admin/dead-letters/redrive   | {`topic`:`transaction-events`,`ids`:[]}             | ids:invalid",
                "POST  | /api/v1/webhooks              | {`url`:`https://example.com/`,`events`:[]}          | events:invalid",
                "POST  | /api/v1/console-sessions      | {`scopes`:[]}                                       | scopes:invalid",
                "POST  | /api/v1/transaction/{id}/refund | {`amount`:``}                                     | amount:invalid",
            })
    void anEmptyValueIsRefusedWhereItsLackAllowsMore(String method, String path, String body, String error) {
        Api api = path.startsWith("/admin/") ? gateway.admin() : merchant.api();
        Answer refused = Api.send(api.json(method, path.replace("{id}", merchant.id()), body.replace('`', '"')));

        refused.expectProblem(422, "validation_failed");
        assertThat(refused.fieldErrors()).containsExactly(error);
    }
}
