package dev.ligeiro.gateway.admin;

import dev.ligeiro.gateway.http.Fields;
import dev.ligeiro.gateway.problem.FieldError;
import dev.ligeiro.pix.BrCode;
import dev.ligeiro.pix.MerchantAccount;
import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Operation;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** A valid request to create a merchant: {@code {name, city?, fees?}}. Its BR Codes contain name and city. */
record MerchantRequest(String name, String city, Map<Operation, Commission> fees) {

    private static final String CITY_DEFAULT = "SAO PAULO";
    private static final int NAME_MAX = 100;
    private static final MerchantAccount ANY_ACCOUNT = new MerchantAccount.DynamicLocation("example.com/1");

    static MerchantRequest parse(ObjectNode body) {
        Fields fields = new Fields(body);
        String name = fields.requiredText("name", NAME_MAX);
        String city = fields.optionalText("city", NAME_MAX);
        if (name != null && !fitsBrCode(name)) {
            fields.reject(FieldError.invalid("name", "expected Latin letters, which a BR Code can contain"));
        }
        if (city != null && !fitsBrCode(city)) {
            fields.reject(FieldError.invalid("city", "expected Latin letters, which a BR Code can contain"));
        }
        Map<Operation, Commission> fees = FeesRequest.read(fields.optionalObject("fees"));
        fields.orThrow();
        if (name == null) {
            throw new IllegalStateException("name is missing without an error");
        }
        return new MerchantRequest(name, city == null ? CITY_DEFAULT : city, fees);
    }

    private static boolean fitsBrCode(String text) {
        try {
            BrCode.of(ANY_ACCOUNT, text, text);
            return true;
        } catch (IllegalArgumentException nothingLeft) {
            return false;
        }
    }
}
