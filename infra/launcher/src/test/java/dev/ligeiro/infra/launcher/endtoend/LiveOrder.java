package dev.ligeiro.infra.launcher.endtoend;

import dev.ligeiro.infra.client.MerchantApi;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A transaction in live mode. The payer of a cashin pays at the bank.
 *
 * @param amount in reais
 * @param refund what the merchant asks back when it is paid; null for nothing
 * @param payer who pays a cashin
 * @param claim how its payer claims some of it back; null if that does not happen
 */
record LiveOrder(
        String path,
        String amount,
        @Nullable Map<String, String> refund,
        Payer payer,
        @Nullable Claim claim,
        LiveBank bank)
        implements ConstantLoad.Kind {

    private static final int AMOUNTS = 1_000;
    /** The bank refunds everything but this amount. */
    private static final String REFUND_FAILS = "13.13";

    private static final Map<String, String> PART = Map.of("amount", "4.00");

    /** Who pays a cashin, and whether it must be the one with its document. */
    enum Payer {
        UNNAMED,
        OWN,
        ANOTHER,
        /** The payer of this cashin need not have its document. */
        ANOTHER_WHO_MAY
    }

    /** What becomes of a claim. */
    enum Claim {
        LOST("accepted", false, false),
        CANCELED("canceled", false, false),
        DEFENDED_AND_LOST("accepted", true, false),
        DEFENDED_AND_WON("rejected", true, false),
        /** The bank decides while the defence is on its way. */
        LOST_MEANWHILE("accepted", true, true),
        WON_MEANWHILE("rejected", true, true);

        /** Less than what a refund leaves. */
        static final String PART = "5.00";

        final String outcome;
        final boolean isDefended;
        final boolean isDecidedMeanwhile;

        Claim(String outcome, boolean isDefended, boolean isDecidedMeanwhile) {
            this.outcome = outcome;
            this.isDefended = isDefended;
            this.isDecidedMeanwhile = isDecidedMeanwhile;
        }
    }

    /** Orders in these proportions; those with a refund are among the cashins. */
    static IntFunction<LiveOrder> mixture(int cashins, int cashouts, int refunds, LiveBank bank) {
        return number -> {
            int place = number % (cashins + cashouts);
            if (place >= cashins) {
                return new LiveOrder(MerchantApi.CASHOUT_PATH, amount(number), null, Payer.UNNAMED, null, bank);
            }
            Map<String, String> refund = place >= refunds ? null : number % 2 == 0 ? Map.of() : PART;
            return new LiveOrder(MerchantApi.CASHIN_PATH, amount(number), refund, Payer.UNNAMED, null, bank);
        };
    }

    /** Cashins of which half are claimed back, and some are paid by others, by the seed; and a cashout for four of them. */
    static IntFunction<LiveOrder> disputed(long seed, LiveBank bank) {
        return number -> {
            Random random = new Random(31 * seed + number);
            if (number % 5 == 0 || amount(number).equals(REFUND_FAILS)) {
                return new LiveOrder(MerchantApi.CASHOUT_PATH, amount(number), null, Payer.UNNAMED, null, bank);
            }
            Payer payer = Payer.values()[1 + random.nextInt(3)];
            boolean isClaimed = payer != Payer.ANOTHER && random.nextBoolean();
            Claim claim = isClaimed ? Claim.values()[random.nextInt(Claim.values().length)] : null;
            Map<String, String> refund = payer != Payer.ANOTHER && random.nextInt(3) == 0 ? PART : null;
            return new LiveOrder(MerchantApi.CASHIN_PATH, amount(number), refund, payer, claim, bank);
        };
    }

    private static String amount(int number) {
        return "1%d.%02d".formatted(number % AMOUNTS / 100, number % 100);
    }

    boolean isCashin() {
        return path.equals(MerchantApi.CASHIN_PATH);
    }

    /** Whether a payer must be found who is not the right one. */
    boolean isMismatch() {
        return payer == Payer.ANOTHER;
    }

    /** Whether all of it is claimed back, with success. */
    boolean isLostWhole() {
        return claim != null && refund == null && claim.outcome.equals("accepted");
    }

    /** All of it, unless the merchant gives something back too. */
    String claimedAmount() {
        return refund == null ? amount : Claim.PART;
    }

    @Override
    public Map<String, Object> request(EndToEndMerchant merchant) {
        if (!isCashin()) {
            return merchant.cashout(amount);
        }
        Map<String, Object> request = merchant.cashin(amount);
        if (payer == Payer.OWN || payer == Payer.ANOTHER) {
            request.put("payer_must_match", true);
        }
        return request;
    }

    @Override
    public HttpRequest.@Nullable Builder payment(EndToEndMerchant merchant, JsonNode created) {
        if (!isCashin()) {
            return null;
        }
        String qrCode = created.required("qr_code").asString();
        return switch (payer) {
            case UNNAMED -> bank.payment(qrCode);
            case OWN ->
                bank.payment(qrCode, "Maria Silva", created.required("document").asString());
            case ANOTHER, ANOTHER_WHO_MAY -> bank.paymentByAnother(qrCode);
        };
    }
}
