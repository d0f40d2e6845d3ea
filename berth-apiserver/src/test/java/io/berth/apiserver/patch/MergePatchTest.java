package io.berth.apiserver.patch;

import static io.berth.apiserver.Trees.object;
import static io.berth.apiserver.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The examples of RFC 7386, appendix A, that have an object on both sides.
class MergePatchTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {a:'b'}         | {a:'c'}             | {a:'c'}
                    {a:'b'}         | {b:'c'}             | {a:'b',b:'c'}
                    {a:'b'}         | {a:null}            | {}
                    {a:'b',b:'c'}   | {a:null}            | {b:'c'}
                    {a:['b']}       | {a:'c'}             | {a:'c'}
                    {a:'c'}         | {a:['b']}           | {a:['b']}
                    {a:{b:'c'}}     | {a:{b:'d',c:null}}  | {a:{b:'d'}}
                    {a:[{b:'c'}]}   | {a:[1]}             | {a:[1]}
                    {e:null}        | {a:1}               | {e:null,a:1}
                    {}              | {a:{bb:{ccc:null}}} | {a:{bb:{}}}
                    """)
    void patchMergesAsTheRfcShows(String original, String patch, String expected) {
        assertThat(MergePatch.apply(object(original), tree(patch))).isEqualTo(tree(expected));
    }

    @Test
    void patchThatIsNoObjectIsABadRequest() {
        assertThatThrownBy(() -> MergePatch.apply(object("{}"), tree("[1]")))
                .isInstanceOfSatisfying(
                        PatchException.class, e -> assertThat(e.status()).isEqualTo(400));
    }
}
