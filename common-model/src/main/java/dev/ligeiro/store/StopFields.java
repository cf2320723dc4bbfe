package dev.ligeiro.store;

/**
 * The fields of the collection {@link CollectionNames#STOPS}: what an operator has stopped, one document each. Its id begins with the kind:
 *
 * <ul>
 *   <li>{@link #ROUTE}: new live transactions of a rail and operation;
 *   <li>{@link #CASHOUTS}: cashouts of {@link #RAIL} and {@link #MERCHANT_NUMBER}; without one of them, of all;
 *   <li>{@link #FROZEN}: all that {@link #MERCHANT_NUMBER} pays out.
 * </ul>
 */
public final class StopFields {

    public static final String ROUTE = "route/";
    public static final String CASHOUTS = "cashouts/";
    public static final String FROZEN = "frozen/";

    public static final String ID = "_id";
    public static final String RAIL = "rail";
    public static final String MERCHANT_NUMBER = "merchantNumber";

    private StopFields() {}
}
