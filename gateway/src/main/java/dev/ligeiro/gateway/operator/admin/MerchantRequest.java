package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.transaction.Commission;
import dev.ligeiro.transaction.Operation;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** A valid request to create a merchant: {@code {name, city?, fees?}}. Its BR Codes contain name and city. */
record MerchantRequest(String name, String city, Map<Operation, Commission> fees) {

    private static final String CITY_DEFAULT = "SAO PAULO";

    static MerchantRequest parse(ObjectNode body) {
        Fields fields = new Fields(body);
        String name = BrCodeText.required(fields, "name");
        String city = BrCodeText.optional(fields, "city");
        Map<Operation, Commission> fees = FeesRequest.read(fields.optionalObject("fees"));
        fields.orThrow();
        if (name == null) {
            throw new IllegalStateException("name is missing without an error");
        }
        return new MerchantRequest(name, city == null ? CITY_DEFAULT : city, fees);
    }
}
