package io.berth.apiserver.patch;

import static io.berth.apiserver.Trees.object;
import static io.berth.apiserver.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPatchTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {a:1}             | [{op:'add',path:'/b',value:2}]                     | {a:1,b:2}
                    {a:1}             | [{op:'add',path:'/a',value:null}]                  | {a:null}
                    {a:[1,3]}         | [{op:'add',path:'/a/1',value:2}]                   | {a:[1,2,3]}
                    {a:[1]}           | [{op:'add',path:'/a/-',value:2}]                   | {a:[1,2]}
                    {a:{}}            | [{op:'add',path:'/a/x~1y~0z',value:1}]             | {a:{'x/y~z':1}}
                    {a:1}             | [{op:'add',path:'',value:{b:1}}]                   | {b:1}
                    {a:1,b:2}         | [{op:'remove',path:'/a'}]                          | {b:2}
                    {a:[1,2,3]}       | [{op:'remove',path:'/a/1'}]                        | {a:[1,3]}
                    {a:[1,2,3]}       | [{op:'remove',path:'/a/-1'}]                       | {a:[1,2]}
                    {a:{b:1}}         | [{op:'replace',path:'/a/b',value:'x'}]             | {a:{b:'x'}}
                    {a:[1,2]}         | [{op:'replace',path:'/a/0',value:9}]               | {a:[9,2]}
                    {a:{b:1},c:{}}    | [{op:'move',from:'/a/b',path:'/c/d'}]              | {a:{},c:{d:1}}
                    {a:[1,2,3]}       | [{op:'move',from:'/a/0',path:'/a/2'}]              | {a:[2,3,1]}
                    {a:{b:1},c:{}}    | [{op:'copy',from:'/a',path:'/c/d'}]                | {a:{b:1},c:{d:{b:1}}}
                    {a:1}             | [{op:'test',path:'/a',value:1.0}]                  | {a:1}
                    {a:1}             | [{op:'test',path:'/b',value:null}]                 | {a:1}
                    {a:{b:[1,{c:2}]}} | [{op:'test',path:'/a',value:{b:[1,{c:2}]}}]        | {a:{b:[1,{c:2}]}}
                    {a:{'':1}}        | [{op:'remove',path:'/a/'}]                         | {a:{}}
                    {a:1}             | [{op:'replace',path:'/b',value:2}]                 | {a:1,b:2}
                    {a:1}             | [{op:'copy',from:'/c',path:'/b'}]                  | {a:1,b:null}
                    {a:1}             | [{op:'add',path:'/b'}]                             | {a:1,b:null}
                    """)
    void operationGivesTheResultOfTheRfc(String original, String patch, String expected) {
        assertThat(JsonPatch.apply(object(original), tree(patch))).isEqualTo(tree(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {op:'add',path:'/x/y',value:1}     | 422 | add operation does not apply: doc is missing path: "/x/y": missing value
                    {op:'add',path:'/l/7',value:1}     | 422 | Unable to access invalid index: 7: invalid index referenced
                    {op:'add',path:'/l/z',value:1}     | 422 | value was not a proper array index: 'z'
                    {op:'remove',path:'/nope'}         | 422 | error in remove for path: '/nope': Unable to remove nonexistent key: nope: missing value
                    {op:'remove',path:'/x/y'}          | 422 | remove operation does not apply: doc is missing path: "/x/y": missing value
                    {op:'replace',path:'/x/y',value:1} | 422 | replace operation does not apply: doc is missing path: /x/y: missing value
                    {op:'test',path:'/a',value:2}      | 422 | testing value /a failed: test failed
                    {op:'move',from:'/o',path:'/o/p'}  | 422 | move operation does not apply: /o/p is inside /o
                    {op:'copy',from:'/x/y',path:'/b'}  | 422 | copy operation does not apply: doc is missing from path: /x/y: missing value
                    {op:'frob',path:'/a'}              | 422 | Unexpected kind: frob
                    'text'                             | 400 | error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp
                    """)
    void refusalCarriesStatusAndMessage(String operation, int status, String message) {
        var original = object("{a:1,l:[1],o:{}}");
        var refusal =
                catchThrowableOfType(
                        PatchException.class,
                        () -> JsonPatch.apply(original, tree("[" + operation + "]")));
        assertThat(refusal.status()).isEqualTo(status);
        assertThat(refusal).hasMessage(message);
        assertThat(original).isEqualTo(tree("{a:1,l:[1],o:{}}"));
    }

    @Test
    void patchThatIsNoListIsABadRequest() {
        var refusal =
                catchThrowableOfType(
                        PatchException.class, () -> JsonPatch.apply(object("{}"), tree("{a:1}")));
        assertThat(refusal.status()).isEqualTo(400);
    }
}
