package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.request.Fields;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A valid request to change a merchant: {@code {name?, city?}}.
 *
 * @param name null to keep it
 * @param city null to keep it
 */
record MerchantPatch(@Nullable String name, @Nullable String city) {

    static MerchantPatch parse(ObjectNode body) {
        Fields fields = new Fields(body);
        MerchantPatch patch =
                new MerchantPatch(BrCodeText.optional(fields, "name"), BrCodeText.optional(fields, "city"));
        fields.orThrow();
        return patch;
    }
}
