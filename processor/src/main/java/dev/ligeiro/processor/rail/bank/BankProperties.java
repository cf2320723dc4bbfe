package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.processor.rail.RailFacts;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * One bank account. {@code application.yml} explains each key.
 *
 * @param baseUrl where the paths of the calls begin
 * @param scope the scopes to ask for; null for all that the client has
 * @param sslBundle the name of the Spring SSL bundle with the client certificate
 * @param receiverKey the Pix key of the account: it receives cashins and pays cashouts
 * @param noticeUrl where the bank reaches this system's port for notices; null: it is not told, and gives none
 * @param noticeSenders the certificates that may send notices of this account, each by a DNS name or by its whole subject
 * @param locations how many payload locations are kept ready for the codes of cashins
 * @param receiverDocumentOf the keys of the tenants whose cashouts have the receiver's document; that of all others is the payer's
 * @param claims whether the claims of payers are read (MED), and defences sent; only at Efí
 * @param rejections names of errors by which this bank rejects a call for good, beside those of the Pix API and of Efí
 * @param tellsPayer whether the list of received payments can be filtered by the payer's tax id
 * @param headers sent with every call, also for the token
 * @param query the same for parameters of the query
 */
public record BankProperties(
        @NotNull Kind kind,
        @NotNull URI baseUrl,
        @NotNull URI tokenUrl,
        @DefaultValue("basic") TokenRequest tokenRequest,
        @NotBlank String clientId,
        @NotBlank String clientSecret,
        @Nullable String scope,
        @NotBlank String sslBundle,
        @NotBlank String receiverKey,
        @Nullable URI noticeUrl,
        @DefaultValue Set<String> noticeSenders,
        @DefaultValue Map<String, String> headers,
        @DefaultValue Map<String, String> query,
        @DefaultValue("3s") @DurationMin(millis = 100) @DurationMax(minutes = 1) Duration connectTimeout,
        @DefaultValue("10s") @DurationMin(millis = 100) @DurationMax(minutes = 2) Duration callTimeout,
        @DefaultValue("2m") @DurationMin(seconds = 1) @DurationMax(hours = 1) Duration lateArrival,
        @DefaultValue("5s") @DurationMin(millis = 100) @DurationMax(minutes = 10) Duration inquireAfter,
        @DefaultValue("5m") @DurationMin @DurationMax(hours = 24) Duration expiryGrace,
        @DefaultValue("20") @Min(1) @Max(1_000) int callsAtOnce,
        @DefaultValue("1000") @Min(0) @Max(1_000_000) int locations,
        @DefaultValue Set<Long> receiverDocumentOf,
        @DefaultValue("false") boolean claims,
        @DefaultValue("true") boolean tellsPayer,
        @DefaultValue Set<String> rejections) {

    /** Which calls the bank offers. */
    public enum Kind {
        /** The BACEN Pix API: cashins and refunds. */
        PIX(""),
        /** The same, and Efí's way to send: cashouts too. */
        EFI("/v2");

        private final String pixPath;

        Kind(String pixPath) {
            this.pixPath = pixPath;
        }

        /** Where the Pix API's paths begin after the base URL. */
        public String pixPath() {
            return pixPath;
        }
    }

    /** How the client's id and secret are sent for a token. */
    public enum TokenRequest {
        /** As HTTP Basic authentication, with a form (RFC 6749 §2.3.1). */
        BASIC,
        /** As fields of the form. */
        FORM,
        /** As HTTP Basic authentication, with a JSON body. */
        JSON
    }

    @AssertTrue(message = "base-url, token-url and notice-url must begin with https://")
    public boolean isEncrypted() {
        return isHttps(baseUrl) && isHttps(tokenUrl) && isHttps(noticeUrl);
    }

    @AssertTrue(message = "late-arrival must be at least call-timeout")
    public boolean isCallDoneInTime() {
        return lateArrival.compareTo(callTimeout) >= 0;
    }

    @AssertTrue(message = "claims are known with kind: efi only")
    public boolean isKindWithClaims() {
        return !claims || kind == Kind.EFI;
    }

    /** What the account's rail states. An answer to a registration comes over the network, and nothing is analysed before it is sent. */
    public RailFacts facts(String rail) {
        return new RailFacts(
                rail,
                lateArrival,
                inquireAfter,
                RailFacts.Inquiry.BY_ID,
                false,
                callsAtOnce,
                callTimeout,
                transaction -> false,
                expiryGrace,
                tellsPayer,
                Instant.EPOCH);
    }

    private static boolean isHttps(@Nullable URI url) {
        // a missing one is reported by its own name
        return url == null || "https".equals(url.getScheme());
    }

    /** Hides all but the address: most are secrets. */
    @Override
    public String toString() {
        return "BankProperties[" + baseUrl + "]";
    }
}
