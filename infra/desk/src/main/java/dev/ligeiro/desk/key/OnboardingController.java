package dev.ligeiro.desk.key;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.desk.key.KeyController.MadeKey;
import dev.ligeiro.desk.key.KeyController.NewKey;
import dev.ligeiro.desk.merchant.MerchantController;
import dev.ligeiro.desk.merchant.MerchantController.NewMerchant;
import dev.ligeiro.desk.merchant.MerchantController.NewPlatform;
import dev.ligeiro.desk.merchant.MerchantJson;
import dev.ligeiro.desk.merchant.ReadableText;
import dev.ligeiro.desk.merchant.ReadableText.Kind;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.merchant.Merchant.Platform;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.transaction.Mode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Makes all that a new merchant begins with. Each part has its own entry in the audit. */
@RestController
@Tag(name = "onboarding")
class OnboardingController {

    /** In test mode, so that the merchant can play a whole payment through. Live keys that pay out are made one by one. */
    private static final List<Scope> TEST_SCOPES =
            List.of(Scope.TRANSACTIONS_READ, Scope.TRANSACTIONS_WRITE, Scope.STATEMENT_READ, Scope.WEBHOOKS_MANAGE);

    private static final List<Scope> LIVE_SCOPES =
            List.of(Scope.TRANSACTIONS_READ, Scope.CASHINS_WRITE, Scope.STATEMENT_READ, Scope.WEBHOOKS_MANAGE);

    private final MerchantController merchants;
    private final KeyController keys;
    private final ConsoleLinks links;

    OnboardingController(MerchantController merchants, KeyController keys, ConsoleLinks links) {
        this.merchants = merchants;
        this.keys = keys;
        this.links = links;
    }

    record NewStart(
            @NotBlank @Size(max = 100) @ReadableText(Kind.BR_CODE) String name,
            @Size(max = 100) @ReadableText(Kind.BR_CODE) @Nullable String city,
            @NotBlank @Size(max = 100) String platform,
            @NotNull Mode mode) {}

    /** @param consoleUrl works once, for 5 minutes; null if the gateway does not answer */
    record Start(
            UUID id, MerchantJson merchant, Platform platform, UUID keyId, String key, @Nullable String consoleUrl) {}

    @PostMapping("/admin/onboarding")
    @Needs(Role.OPERATE)
    @Operation(summary = "make a merchant with a platform and a key, and a link to its console")
    ResponseEntity<Start> begin(@RequestBody NewStart body, Operator operator) {
        MerchantJson merchant = made(merchants.make(new NewMerchant(body.name, body.city, null)));
        Platform platform = made(merchants.addPlatform(merchant.id(), new NewPlatform(body.platform, body.mode)));
        List<Scope> scopes = body.mode == Mode.TEST ? TEST_SCOPES : LIVE_SCOPES;
        MadeKey key =
                made(keys.make(merchant.id(), new NewKey(body.mode, body.platform, scopes, null, null), operator));
        return ResponseEntity.created(URI.create("/admin/merchants/" + merchant.id()))
                .body(new Start(merchant.id(), merchant, platform, key.made().id(), key.key(), links.make(key.key())));
    }

    private static <T> T made(ResponseEntity<T> response) {
        return requireNonNull(response.getBody());
    }
}
