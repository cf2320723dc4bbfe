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
        TestMerchant approver =
                merchant.withKey(merchant.newKey("cashouts:approve").key());
        List<String> routes = new ArrayList<>(gateway.routes());
        routes.removeIf(route -> route.matches("(GET|DELETE|HEAD) .*"));

        assertThat(routes).hasSizeGreaterThan(15);
        for (String route : routes) {
            String path = route.split(" ")[1]
                    .replace("{delivery_id}", endpoint + "." + endpoint)
                    .replaceAll("\\{[a-z_]*}", route.contains("/webhooks/") ? endpoint : transaction);
            TestMerchant sender = path.endsWith("/approve") ? approver : merchant;
            Answer answer = Api.send(sender.api().json(route.split(" ")[0], path, "{\"unknown_member\":1}"));

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
                "POST  | /api/v1/webhooks              | {`url`:`https://example.com/`,`events`:[]}          | events:invalid",
                "POST  | /api/v1/console-sessions      | {`scopes`:[]}                                       | scopes:invalid",
                "POST  | /api/v1/transaction/{id}/refund | {`amount`:``}                                     | amount:invalid",
            })
    void anEmptyValueIsRefusedWhereItsLackAllowsMore(String method, String path, String body, String error) {
        Answer refused =
                Api.send(merchant.api().json(method, path.replace("{id}", merchant.id()), body.replace('`', '"')));

        refused.expectProblem(422, "validation_failed");
        assertThat(refused.fieldErrors()).containsExactly(error);
    }
}
