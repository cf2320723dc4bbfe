package dev.ligeiro.gateway.page.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Generated clients compile, and read values that are newer than they are. {@code GeneratedClientsIT} generates them. */
class GeneratorRulesTest {

    private static final JsonNode DOCUMENT = ApiDescription.read().document();

    @Test
    void theDescriptionKeepsTheRules() {
        assertThat(GeneratorRules.faults(DOCUMENT)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/components/schemas/WebhookList/properties | next_cursor | {'type':'null'} | WebhookList.next_cursor: not of one type",
                "/components/schemas/EventData/properties | previous_status | {'oneOf':[{'type':'string'},{'type':'null'}]} |"
                        + " EventData.previous_status: oneOf",
                "/components/schemas/StatusEntry/properties | late | {'type':'boolean','const':true} | StatusEntry.late: const",
                "/components/schemas | Status | {'type':'string','enum':['pending','paid']} | Status: a closed enum",
                "/components/schemas | EventType | {'type':'string','enum':['transaction.paid']} | EventType: a closed enum",
                "/components/schemas/CashinCreate/properties | amount | {'type':['number','string']} |"
                        + " CashinCreate.amount: not of one type",
                "/components/schemas/RefundCreate/properties | amount | {'type':['number','null']} | RefundCreate.amount: amounts",
                "/components/schemas | NewRefund | {'type':'object'} | NewRefund: Go",
                "/paths/~1api~1v1~1transactions/get/parameters/5 | schema | {'$ref':'#/components/schemas/Status'} |"
                        + " get /api/v1/transactions: axios",
                "/webhooks/transaction.paid/post | x-internal | false | post transaction.paid: without x-internal",
            })
    void aBrokenRuleIsFound(String place, String member, String value, String fault) {
        JsonNode broken = DOCUMENT.deepCopy();
        ((ObjectNode) broken.requiredAt(place)).set(member, JsonMapper.shared().readTree(value.replace('\'', '"')));

        assertThat(GeneratorRules.faults(broken)).anyMatch(each -> each.contains(fault));
    }
}
